/** One live connection for the tab: tables are watched, commands sent and answered, and after an interruption
 * everything goes on where it was.
 *
 * Nothing is shown as done before the house said so. A command keeps its request number until it is answered: sent
 * again after a reconnection it happens once. */

import { request_id } from "./api"
import { slot } from "./router.svelte"
import type {
  AnsweredQuestion, Answer, AnyCommand, FromHouse, FromScreen, PrivateView, GuestProof, PublicView, Setup, NarratedStep, ConfirmationCard, Refusal,
} from "./wire"
import { language } from "./words/words.svelte"

const FIRST_WAIT = 300
const LONGEST_WAIT = 5_000
const TOO_FAST_WAIT = 600
const SIGNED_OUT = 4401
const CLOCK_SAMPLES = 30
/** After so much silence the screen asks; without an answer it says that the line is lost, and later gives it up. */
const QUIET = 2_000
const UNANSWERED = 2_500
const GIVEN_UP = 5_000

export type Line = "closed" | "connecting" | "open" | "lost"

/** A table as this screen was last told. */
export class Watched {
  public: PublicView | null = $state.raw(null)
  private: PrivateView | null = $state.raw(null)
  setup: Setup | null = $state.raw(null)
  results: readonly string[] = $state.raw([])
  /** The hand in words. */
  told: readonly NarratedStep[] = $state.raw([])
  /** Nothing was told yet. */
  blank = $state(true)
  /** The table has failed: nothing is accepted until it runs again. */
  stopped = $state(false)
  refused: Refusal | null = $state.raw(null)
  version = 0
  constructor(
    readonly table: string,
    readonly board: boolean,
  ) {}
}

interface Pending {
  readonly table: string
  readonly request: string
  readonly command: AnyCommand
  readonly proof: GuestProof | undefined
  readonly answered: (answer: Answer) => void
}

export interface Socketlike {
  onopen: ((event: never) => void) | null
  onclose: ((event: { code: number }) => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
  readyState: number
  send(text: string): void
  close(code?: number): void
}

type Open = () => Socketlike

export class Live {
  line: Line = $state("closed")
  /** The house's clock is ahead of this machine's by so many milliseconds. */
  ahead = $state(0)
  /** What waits for a second person, as far as it concerns whoever sits here. */
  seconds: readonly ConfirmationCard[] = $state.raw([])
  /** The questions at tables where the reader is staff whose answer waits, whoever may confirm it. */
  answered: readonly AnsweredQuestion[] = $state.raw([])
  /** Commands on their way, by table. */
  pending: readonly { table: string; request: string; command: AnyCommand }[] = $state.raw([])
  /** Told when the session is over or the rights changed: whoever signs in decides what follows. */
  onover: (code: number) => void = () => {}

  #socket: Socketlike | null = null
  #watched = new Map<string, { watched: Watched; count: number }>()
  #pending = new Map<string, Pending>()
  #wait = FIRST_WAIT
  #timer: ReturnType<typeof setTimeout> | undefined
  #silence: ReturnType<typeof setTimeout> | undefined
  #heartbeat = 10
  #clock: number[] = []
  #open: Open

  constructor(open: Open = () => new WebSocket(address()) as unknown as Socketlike) {
    this.#open = open
  }

  /** Connect and stay connected until `disconnect`. */
  connect(): void {
    if (this.line === "closed") this.#connect()
  }

  disconnect(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#silence)
    const socket = this.#socket
    this.#socket = null
    this.line = "closed"
    this.seconds = []
    this.answered = []
    this.#pending.clear()
    this.#told()
    if (socket) {
      socket.onclose = socket.onmessage = socket.onopen = null
      socket.close(1000)
    }
  }

  /** Begin anew at once: the language changed, the machine woke up. */
  refresh(): void {
    if (this.line === "closed") return
    this.#wait = FIRST_WAIT
    this.#drop()
    this.#connect()
  }

  /** Whether an answer to that question of a table waits for a second person. */
  isAnswered(table: string, question: number | undefined): boolean {
    return this.answered.some((one) => one.table === table && one.question === question)
  }

  /** The house's time now, in milliseconds UTC. */
  now(): number {
    return Date.now() + this.ahead
  }

  watch(table: string, board = false): { readonly watched: Watched; leave: () => void } {
    const key = board ? `board ${table}` : table
    let entry = this.#watched.get(key)
    if (entry === undefined) {
      entry = { watched: new Watched(table, board), count: 0 }
      this.#watched.set(key, entry)
      this.#say({ type: "Watch", table, board })
    }
    entry.count += 1
    const held = entry
    let left = false
    return {
      watched: entry.watched,
      leave: () => {
        if (left) return
        left = true
        held.count -= 1
        if (held.count === 0) {
          this.#watched.delete(key)
          this.#say({ type: "Leave", table })
        }
      },
    }
  }

  /** Send a command; the promise is kept when the house has answered, however long that takes. */
  do(table: string, command: AnyCommand, request = request_id(), proof?: GuestProof): Promise<Answer> {
    return new Promise((answered) => {
      const pending = { table, request, command, proof, answered }
      this.#pending.set(request, pending)
      this.#told()
      this.#send(pending)
    })
  }

  // ---- the line ----------------------------------------------------------------------------------------------------

  #connect(): void {
    this.line = this.line === "lost" ? "lost" : "connecting"
    const socket = this.#open()
    this.#socket = socket
    socket.onmessage = (event) => {
      if (this.#socket === socket) this.#heard(JSON.parse(String(event.data)) as FromHouse)
    }
    socket.onclose = (event) => {
      if (this.#socket === socket) this.#closed(event.code)
    }
    this.#listen()
  }

  #drop(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#silence)
    const socket = this.#socket
    this.#socket = null
    if (socket) {
      socket.onclose = socket.onmessage = socket.onopen = null
      socket.close()
    }
  }

  #closed(code: number): void {
    clearTimeout(this.#silence)
    this.#socket = null
    this.line = "lost"
    this.onover(code)
    if (code === SIGNED_OUT || this.line !== "lost") return
    this.#timer = setTimeout(() => this.#connect(), this.#wait * (0.75 + Math.random() / 2))
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT)
  }

  /** A line that is silent for too long is dead, whatever the browser thinks. A screen in sight asks and says so within
   * five seconds; one in the background, whose timers the browser slows down, waits for two heartbeats. */
  #listen(): void {
    clearTimeout(this.#silence)
    if (this.line !== "open" || (typeof document !== "undefined" && document.hidden)) {
      this.#silence = setTimeout(() => this.#giveUp(), this.#heartbeat * 2_500)
      return
    }
    this.#silence = setTimeout(() => {
      this.#say({ type: "Probe" })
      this.#silence = setTimeout(() => {
        this.line = "lost"
        this.#silence = setTimeout(() => this.#giveUp(), GIVEN_UP * (0.75 + Math.random() / 2))
      }, UNANSWERED)
    }, QUIET)
  }

  #giveUp(): void {
    this.#drop()
    this.#closed(0)
  }

  #say(message: FromScreen): void {
    if (this.line === "open" && this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(message))
  }

  #send(pending: Pending): void {
    const { table, request, command, proof } = pending
    this.#say({ type: "Do", table, request, command, ...(proof && { proof }) })
  }

  #told(): void {
    this.pending = [...this.#pending.values()]
  }

  // ---- what is heard -----------------------------------------------------------------------------------------------

  #heard(message: FromHouse): void {
    const back = this.line === "lost" && message.type !== "Hello"
    if (back) this.line = "open"
    this.#listen()
    if (back) for (const pending of this.#pending.values()) this.#send(pending)
    switch (message.type) {
      case "Hello":
        this.#set(message.at)
        this.#heartbeat = message.heartbeat
        this.#wait = FIRST_WAIT
        this.line = "open"
        this.#listen()
        for (const { watched } of this.#watched.values()) {
          this.#say({ type: "Watch", table: watched.table, board: watched.board })
        }
        for (const pending of this.#pending.values()) this.#send(pending)
        return
      case "Beat":
        this.#set(message.at)
        this.#say({ type: "Here" })
        return
      case "Whole":
        this.#set(message.at ?? 0)
        for (const watched of this.#screens(message.table)) {
          watched.version = message.version
          watched.public = message.public
          watched.private = message.private ?? null
          watched.setup = message.setup ?? null
          watched.results = message.results ?? []
          watched.told = message.told ?? []
          watched.refused = null
          watched.stopped = message.stopped ?? false
          watched.blank = false
        }
        return
      case "Public":
        this.#set(message.at)
        for (const watched of this.#screens(message.table)) {
          if (watched.blank || message.version < watched.version) continue
          if (message.after > watched.version) {
            this.#say({ type: "Watch", table: watched.table, board: watched.board })
            continue
          }
          watched.version = message.version
          watched.public = message.view
          watched.stopped = message.stopped ?? false
          watched.told = message.told ?? []
          if (message.results) watched.results = message.results
          if (message.setup) watched.setup = message.setup
        }
        return
      case "Private":
        for (const watched of this.#screens(message.table)) {
          if (!watched.board && (watched.private?.version ?? 0) <= message.version) watched.private = message.view
        }
        return
      case "Answered":
        this.#answered(message.request, message.answer)
        return
      case "Misheard":
        this.#misheard(message.request ?? "", message.table ?? "", message.why)
        return
      case "Seconds":
        this.seconds = message.waiting
        this.answered = message.answered ?? []
        return
    }
  }

  #screens(table: string): Watched[] {
    return [...this.#watched.values()].map((one) => one.watched).filter((one) => one.table === table)
  }

  #answered(request: string, answer: Answer): void {
    const pending = this.#pending.get(request)
    if (pending === undefined) return
    this.#pending.delete(request)
    this.#told()
    pending.answered(answer)
  }

  /** What came too fast is said again after a while: in every burst some of it is heard. */
  #misheard(request: string, table: string, why: Refusal): void {
    const pending = this.#pending.get(request)
    const again = why.reason === "too_fast"
    if (pending !== undefined && again) {
      setTimeout(() => this.#pending.has(request) && this.#send(pending), TOO_FAST_WAIT)
    } else if (pending !== undefined) {
      this.#answered(request, { version: 0, refusal: why })
    } else if (table !== "" && again) {
      setTimeout(() => this.#watch(table), TOO_FAST_WAIT)
    } else if (table !== "") {
      for (const watched of this.#screens(table)) if (watched.blank) watched.refused = why
    }
  }

  #watch(table: string): void {
    for (const { board } of this.#screens(table)) this.#say({ type: "Watch", table, board })
  }

  /** Messages come late, never early: of the latest few the one that says the house is furthest ahead is nearest. */
  #set(at: number): void {
    if (at === 0) return
    this.#clock = [...this.#clock.slice(1 - CLOCK_SAMPLES), at - Date.now()]
    this.ahead = Math.max(...this.#clock)
  }
}

function address(): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/u/${slot}/api/live?language=${language()}`
}

export const live = new Live()
