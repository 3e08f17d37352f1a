import { expect, test } from "vitest"
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

test("what was changed after it was not answered, and had happened, is told as that", async () => {
  const errand = new Errand()
  const seen: string[] = []
  for (const [reason, status] of [["failed", 0], ["request_reused", 409], ["request_reused", 409]] as const) {
    await errand.send((request) => {
      seen.push(request)
      throw new Refused({ reason, sentence: "used for something else" }, status)
    })
    if (seen.length === 2) expect(errand.why?.sentence).toContain("was carried out after all")
  }
  expect(errand.why?.sentence).toBe("used for something else")
  expect(seen[1]).toBe(seen[0])
  expect(seen[2]).not.toBe(seen[1])
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
