import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { Foresight } from "./foreseeing.svelte"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const report = { type: "Report", round: 1, fault: "foreign_card" } as const
const foreseen = { steps: [] }

test("a question that was not answered is asked again until it is", async () => {
  let lost = 2
  const fetched = vi.fn(async () => {
    if (lost-- > 0) throw new TypeError("network error")
    return new Response(JSON.stringify(foreseen))
  })
  vi.stubGlobal("fetch", fetched)
  const foresight = new Foresight()
  foresight.look("one", report as never)
  expect(foresight.shown).toBe(false)
  await vi.advanceTimersByTimeAsync(300)
  expect([foresight.looking, foresight.refused, foresight.unavailable, foresight.shown]).toEqual([false, null, true, true])
  await vi.advanceTimersByTimeAsync(5_000)
  expect([foresight.looking, foresight.refused, foresight.found]).toEqual([false, null, foreseen])
  expect([foresight.unavailable, foresight.shown]).toEqual([false, true])
  expect(fetched).toHaveBeenCalledTimes(3)
})

test("what is forgotten is not asked again", async () => {
  const fetched = vi.fn(async () => {
    throw new TypeError("network error")
  })
  vi.stubGlobal("fetch", fetched)
  const foresight = new Foresight()
  foresight.look("one", report as never)
  await vi.advanceTimersByTimeAsync(300)
  foresight.forget()
  await vi.advanceTimersByTimeAsync(10_000)
  expect([foresight.looking, fetched.mock.calls.length]).toEqual([false, 1])
})

test("the words of a reason change nothing that follows, everything else does", async () => {
  vi.stubGlobal("fetch", vi.fn(async () => new Response(JSON.stringify(foreseen))))
  const foresight = new Foresight()
  foresight.look("one", report as never, 7)
  foresight.look("one", { ...report, note: "a" } as never, 7)
  expect(foresight.shown).toBe(false)
  await vi.advanceTimersByTimeAsync(300)
  foresight.look("one", { ...report, note: "a red card" } as never, 7)
  expect(foresight.shown).toBe(true)
  await vi.advanceTimersByTimeAsync(300)
  for (const [command, version] of [[{ ...report, fault: "display" }, 7], [report, 7], [report, 8]] as const) {
    foresight.look("one", command as never, version)
    expect(foresight.shown).toBe(false)
    await vi.advanceTimersByTimeAsync(300)
    expect(foresight.shown).toBe(true)
  }
})
