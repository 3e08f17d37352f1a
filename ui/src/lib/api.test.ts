import { afterEach, expect, test, vi } from "vitest"
import { api, Refused } from "./api"

afterEach(() => vi.unstubAllGlobals())

async function asked(answer: () => Response): Promise<unknown> {
  vi.stubGlobal("fetch", async () => answer())
  return api("tables").catch((error: unknown) => error)
}
const broken = (): Response =>
  new Response(new ReadableStream({ start: (body) => (body.enqueue(new TextEncoder().encode('[{"ta')), body.error(new TypeError("network error"))) }))

test.each([
  ["breaks off", broken],
  ["is cut short", () => new Response('[{"ta')],
  ["is of somebody in between", () => new Response("<html>Sign in to the network</html>")],
])("an answer that %s is none: whether it was done is not known", async (_, answer) => {
  const error = await asked(answer)
  expect(error).toBeInstanceOf(Refused)
  expect((error as Refused).unanswered).toBe(true)
})

test("a refusal of the house is told as it is", async () => {
  const problem = JSON.stringify({ reason: "wallet_empty", detail: "Not so much." })
  const error = (await asked(() => new Response(problem, { status: 409 }))) as Refused
  expect([error.reason, error.message, error.unanswered]).toEqual(["wallet_empty", "Not so much.", false])
})
