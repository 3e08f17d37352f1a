import { expect, test, vi } from "vitest"
import { Refused } from "../api"
import type { Reason } from "../wire"
import { Errand } from "./errand.svelte"

async function numbers(reason: Reason, status: number): Promise<string[]> {
  const errand = new Errand()
  const seen: string[] = []
  for (const _ of [1, 2]) {
    await errand.send((request) => {
      seen.push(request)
      throw new Refused({ reason, sentence: "no" }, status)
    })
  }
  return seen
}

test.each([0, 500, 502])("what was not answered (%i) is asked again under its number", async (status) => {
  const [first, second] = await numbers("failed", status)
  expect(second).toBe(first)
})

test.each([
  ["not_enough_money", 409],
  ["table_stopped", 503],
] as const)("what was refused (%s) is asked anew under another", async (reason, status) => {
  const [first, second] = await numbers(reason, status)
  expect(second).not.toBe(first)
})

test("what is asked otherwise after an unanswered try goes under a number of its own", async () => {
  const sent: { request: string; command: { counted: number } }[] = []
  vi.stubGlobal("fetch", (_: string, given: { body: string }) => {
    sent.push(JSON.parse(given.body))
    return Promise.reject(new TypeError("the line broke"))
  })
  const errand = new Errand()
  const count = (counted: number) => errand.send({ type: "CountFloat", table: "baccarat-1", counted })
  for (const counted of [100, 100, 200]) await count(counted)
  vi.unstubAllGlobals()
  const [first, again, other] = sent.map((one) => one.request)
  expect([again === first, other === first, sent[2]?.command.counted]).toEqual([true, false, 200])
})

test("a second click while the first is on its way asks nothing", async () => {
  const errand = new Errand()
  let asked = 0
  let answer = (_: string): void => {}
  const ask = (): Promise<string> => {
    asked += 1
    return new Promise((done) => (answer = done))
  }
  const first = errand.send(ask)
  expect(await errand.send(ask)).toBeNull()
  answer("done")
  expect([await first, asked]).toEqual(["done", 1])
})
