import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { Live, type Socketlike } from "./live.svelte"
import type { FromHouse, FromScreen, PrivateView, PublicView, Setup } from "./wire"

/** A line to a house that is played by the test. */
class Line implements Socketlike {
  static all: Line[] = []
  static get last(): Line {
    return Line.all.at(-1)!
  }
  onopen = null
  onclose: ((event: { code: number }) => void) | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null
  readyState = 1
  said: FromScreen[] = []
  constructor() {
    Line.all.push(this)
  }
  send(text: string): void {
    this.said.push(JSON.parse(text) as FromScreen)
  }
  close(): void {
    this.readyState = 3
  }
  tell(message: FromHouse): void {
    this.onmessage?.({ data: JSON.stringify(message) })
  }
  hello(): void {
    this.tell({ type: "Hello", person: "ann", at: Date.now(), heartbeat: 10 })
  }
  lose(code = 1006): void {
    this.readyState = 3
    this.onclose?.({ code })
  }
  of<Kind extends FromScreen["type"]>(kind: Kind): Extract<FromScreen, { type: Kind }>[] {
    return this.said.filter((one) => one.type === kind) as Extract<FromScreen, { type: Kind }>[]
  }
}

const view = (version: number): PublicView => ({ version, phase: "betting" }) as PublicView
const own = (version: number, purse: number): PrivateView => ({ version, purse }) as PrivateView
const BET = { type: "PlaceBets", round: 1, lines: [{ bet: "player", amount: 1000, box: 1 }] } as const

let live: Live
beforeEach(() => {
  vi.useFakeTimers()
  Line.all = []
  live = new Live(() => new Line())
  live.connect()
  Line.last.hello()
})
afterEach(() => {
  live.disconnect()
  vi.useRealTimers()
})

function whole(version: number): FromHouse {
  return { type: "Whole", table: "one", version, public: view(version), private: own(version, 50), at: Date.now() }
}

test("a command that was not answered is sent again after a reconnection, under the same number", async () => {
  const answer = live.do("one", BET)
  const first = Line.last.of("Do")[0]!
  expect(live.pending).toHaveLength(1)
  Line.last.lose()
  expect(live.line).toBe("lost")
  vi.advanceTimersByTime(1_000)
  Line.last.hello()
  expect(Line.all).toHaveLength(2)
  expect(Line.last.of("Do")).toEqual([first])
  Line.last.tell({ type: "Answered", request: first.request, answer: { version: 7 } })
  expect(await answer).toEqual({ version: 7 })
  expect(live.pending).toEqual([])
  Line.last.lose()
  vi.advanceTimersByTime(10_000)
  Line.last.hello()
  expect(Line.last.of("Do")).toEqual([])
})

test("a command given while the line is down waits for it", async () => {
  Line.last.lose()
  const answer = live.do("one", BET, "mine")
  vi.advanceTimersByTime(1_000)
  Line.last.hello()
  expect(Line.last.of("Do").map((one) => one.request)).toEqual(["mine"])
  Line.last.tell({ type: "Misheard", request: "mine", why: { reason: "stale_round", sentence: "too late" } })
  expect((await answer).refusal?.reason).toBe("stale_round")
})

test("what came too fast is sent again, not given up", () => {
  void live.do("one", BET, "mine")
  Line.last.tell({ type: "Misheard", request: "mine", why: { reason: "too_fast", sentence: "slowly" } })
  expect(live.pending).toHaveLength(1)
  vi.advanceTimersByTime(1_000)
  expect(Line.last.of("Do")).toHaveLength(2)
})

test("a table that was asked for too fast is asked for again; one that is refused leaves the others alone", () => {
  const one = live.watch("one").watched
  const other = live.watch("other").watched
  Line.last.tell({ type: "Misheard", table: "one", why: { reason: "too_fast", sentence: "slowly" } })
  Line.last.tell({ type: "Misheard", table: "other", why: { reason: "access_denied", sentence: "not for you" } })
  expect([one.refused, other.refused?.reason]).toEqual([null, "access_denied"])
  vi.advanceTimersByTime(1_000)
  expect(Line.last.of("Watch").map((said) => said.table)).toEqual(["one", "other", "one"])
})

test("a screen that missed a message asks for the whole, once more after every reconnection", () => {
  const { watched } = live.watch("one")
  Line.last.tell(whole(5))
  Line.last.tell({ type: "Public", table: "one", after: 5, version: 6, at: Date.now(), view: view(6), results: ["B"] })
  expect([watched.version, watched.public?.version, watched.results]).toEqual([6, 6, ["B"]])
  Line.last.tell({ type: "Public", table: "one", after: 8, version: 9, at: Date.now(), view: view(9) })
  expect(watched.public?.version).toBe(6)
  expect(Line.last.of("Watch")).toHaveLength(2)
  Line.last.tell(whole(9))
  expect(watched.public?.version).toBe(9)
  Line.last.tell({ type: "Public", table: "one", after: 6, version: 7, at: Date.now(), view: view(7) })
  expect(watched.public?.version).toBe(9)
  Line.last.lose()
  vi.advanceTimersByTime(1_000)
  Line.last.hello()
  expect(Line.last.of("Watch")).toEqual([{ type: "Watch", table: "one", board: false }])
  expect(watched.private?.purse).toBe(50)
})

test("a changed set-up reaches an open screen, and stays until it changes again", () => {
  const { watched } = live.watch("one")
  Line.last.tell(whole(5))
  const setup = { minimum: 50_00 } as Setup
  Line.last.tell({ type: "Public", table: "one", after: 5, version: 6, at: Date.now(), view: view(6), setup })
  Line.last.tell({ type: "Public", table: "one", after: 6, version: 7, at: Date.now(), view: view(7) })
  expect(watched.setup?.minimum).toBe(50_00)
})

test("one's own view is never replaced by an older one", () => {
  const { watched } = live.watch("one")
  Line.last.tell(whole(5))
  Line.last.tell({ type: "Private", table: "one", version: 7, view: own(7, 40) })
  Line.last.tell({ type: "Private", table: "one", version: 6, view: own(6, 50) })
  expect(watched.private?.purse).toBe(40)
})

test("a line that falls silent is given up, and waits grow longer up to a limit", () => {
  vi.advanceTimersByTime(26_000)
  expect(live.line).toBe("lost")
  for (let at = 0; at < 8; at += 1) {
    vi.advanceTimersByTime(8_000)
    Line.last.lose()
  }
  const many = Line.all.length
  vi.advanceTimersByTime(3_000)
  expect(Line.all.length).toBe(many)
  vi.advanceTimersByTime(4_000)
  expect(Line.all.length).toBe(many + 1)
})

test("heartbeats are answered, and a session that is over is not called back", () => {
  Line.last.tell({ type: "Beat", at: Date.now() })
  expect(Line.last.of("Here")).toHaveLength(1)
  const codes: number[] = []
  live.onover = (code) => codes.push(code)
  Line.last.lose(4401)
  vi.advanceTimersByTime(60_000)
  expect([codes, Line.all.length]).toEqual([[4401], 1])
})

test("a silent line is asked, called lost within five seconds and given up later", () => {
  vi.advanceTimersByTime(2_100)
  expect([Line.last.of("Probe").length, live.line]).toEqual([1, "open"])
  vi.advanceTimersByTime(2_700)
  expect([live.line, Line.all.length]).toEqual(["lost", 1])
  vi.advanceTimersByTime(9_000)
  expect(Line.all.length).toBeGreaterThan(1)
})

test("a line that answers late is not given up, and what waited is sent again", () => {
  vi.advanceTimersByTime(4_800)
  expect(live.line).toBe("lost")
  void live.do("one", BET)
  expect(Line.last.of("Do")).toHaveLength(0)
  Line.last.tell({ type: "Beat", at: Date.now() })
  expect([live.line, Line.all.length, Line.last.of("Do").length]).toEqual(["open", 1, 1])
})

test("a line on which something is heard is not asked", () => {
  for (let second = 0; second < 30; second += 1) {
    vi.advanceTimersByTime(1_000)
    Line.last.tell({ type: "Beat", at: Date.now() })
  }
  expect([Line.last.of("Probe").length, live.line]).toEqual([0, "open"])
})

test("a table that has failed is called stopped until it is shown again", () => {
  const { watched } = live.watch("one")
  Line.last.tell(whole(3))
  Line.last.tell({ type: "Public", table: "one", after: 3, version: 3, at: Date.now(), view: null, stopped: true })
  expect([watched.stopped, watched.public]).toEqual([true, null])
  Line.last.tell(whole(4))
  expect(watched.stopped).toBe(false)
})

test("countdowns go by the house's clock, whatever this machine believes", () => {
  const hour = 3_600_000
  Line.last.tell({ type: "Beat", at: Date.now() + hour })
  Line.last.tell({ type: "Beat", at: Date.now() + hour - 900 })
  expect(live.now() - Date.now()).toBe(hour)
})

test("a table that nobody looks at any more is left", () => {
  const one = live.watch("one")
  const other = live.watch("one")
  expect(Line.last.of("Watch")).toHaveLength(1)
  one.leave()
  one.leave()
  expect(Line.last.of("Leave")).toHaveLength(0)
  other.leave()
  expect(Line.last.of("Leave")).toHaveLength(1)
})
