/** A player at a table: what the house has told, what is wanted, and what may be done about it. */

import { api } from "../../lib/api"
import { live, type Watched } from "../../lib/live.svelte"
import { show } from "../../lib/money"
import { say } from "../../lib/notices.svelte"
import { play } from "../../lib/sound.svelte"
import { session } from "../../lib/session.svelte"
import type { Answer, AnyCommand, Game, GameCard, PrivateView, PublicView, Setup } from "../../lib/wire"
import { type Felt, feltOf } from "./felt"
import { type Amounts, amountsOf, keyOf, lineOf, Slip } from "./slip.svelte"
import { t } from "./words"

const UNLIMITED = Number.MAX_SAFE_INTEGER

export class Player {
  readonly slip = new Slip()
  card: GameCard | null = $state.raw(null)
  box = $state(0)
  chip = $state(0)
  /** The next tap takes chips off instead of putting them down. */
  erasing = $state(false)
  last: Amounts = $state.raw({})
  /** What the last round with bets brought: it stays shown while the next one is bet on. */
  lastNet: number | null = $state(null)
  /** Cards that were squeezed to their end here, by round and index. */
  readonly peeled = new Set<string>()

  constructor(
    readonly table: string,
    readonly watched: Watched,
  ) {
    this.last = kept(table)
    this.lastNet = (stored(sessionStorage, place("net", table)) as { net?: number }).net ?? null
  }

  get public(): PublicView | null {
    return this.watched.public
  }
  get private(): PrivateView | null {
    return this.watched.private
  }
  get setup(): Setup | null {
    return this.watched.setup
  }
  get game(): Game | null {
    return this.card?.content ?? null
  }
  readonly felt: Felt | null = $derived.by(() => (this.game ? feltOf(this.game, this.public?.layout ?? null) : null))
  readonly accepted: Amounts = $derived.by(() => amountsOf(this.private?.stakes ?? []))
  readonly allowed: ReadonlySet<string> = $derived.by(() => new Set(this.watched.stopped ? [] : this.private?.allowed))
  readonly staked: number = $derived.by(() =>
    (this.private?.stakes ?? []).reduce((all, one) => all + one.amount, 0),
  )
  readonly net: number | null = $derived.by(() => {
    const settled = this.private?.settled ?? []
    return settled.length ? settled.reduce((all, one) => all + one.profit, 0) : null
  })
  /** What the purse would hold if everything wanted were accepted. */
  get left(): number {
    return (this.private?.purse ?? 0) - this.slip.more(this.accepted)
  }
  get betting(): boolean {
    return this.allowed.has("PlaceBets")
  }
  /** Cards that everybody has seen have decided the bet: nothing is placed or taken back there. */
  closed(bet: string): boolean {
    return (this.public?.not_offered ?? []).includes(bet)
  }
  get pending(): boolean {
    return live.pending.some((one) => one.table === this.table)
  }
  /** Whether such a command is on its way, whoever sent it from here: it is not sent beside itself. */
  sends(...types: readonly AnyCommand["type"][]): boolean {
    return live.pending.some((one) => one.table === this.table && types.includes(one.command.type))
  }

  async load(game: string): Promise<void> {
    if (this.card?.key === game) return
    try {
      this.card = await api("game", { path: { game } })
    } catch (error) {
      say.failed(error)
    }
  }

  least(bet: string): number {
    return this.setup?.minimums[bet] ?? this.setup?.minimum ?? 0
  }

  /** The most a bet of a box may come to, by what it can still take. */
  most(key: string): number {
    const { box, bet } = lineOf(key, 0)
    const room = this.room(box, bet)
    const limit = room === null ? UNLIMITED : room + (this.accepted[key] ?? 0)
    const unit = this.setup?.unit ?? 1
    return Math.floor(limit / unit) * unit
  }

  /** What a bet of a box can still take, as the house says; null for bets without a limit. */
  room(box: number, bet: string): number | null {
    const found = this.public?.boxes.find((one) => one.box === box)
    if (found && bet === "player") return found.room_player
    if (found && bet === "banker") return found.room_banker
    const own = this.private?.room[bet]
    if (own !== undefined) return own
    if (this.felt?.all.get(bet)?.bet.original) return null
    const most = this.setup?.maximum ?? null
    return most === null ? null : Math.max(0, most - (this.accepted[keyOf(box, bet)] ?? 0))
  }

  tap(bet: string): void {
    if (!this.betting || this.closed(bet) || this.slip.sent !== null) return
    const key = keyOf(this.box, bet)
    if (this.erasing) return this.slip.put(key, 0, this.accepted)
    if (this.chip > this.left) return say.news(t("purse_short", { amount: show(this.private?.purse ?? 0) }))
    this.slip.put(key, this.slip.at(key, this.accepted) + this.chip, this.accepted)
  }

  rebet(): void {
    this.#within(() => this.slip.rebet(this.last, this.accepted, () => UNLIMITED))
  }

  double(): void {
    if (this.slip.empty && this.staked === 0) return
    this.#within(() => {
      const before = this.slip.more(this.accepted)
      this.slip.double(this.accepted, (key) => this.most(key))
      if (this.slip.more(this.accepted) === before) say.news(t("double_full"))
    })
  }

  /** Not beyond what lies in the purse. */
  #within(change: () => void): void {
    if (!this.betting || this.slip.sent !== null) return
    change()
    if (this.left < 0) {
      this.slip.undo()
      say.news(t("purse_short", { amount: show(this.private?.purse ?? 0) }))
    }
  }

  async confirm(): Promise<void> {
    const round = this.public?.round ?? 0
    const lines = this.slip.send()
    if (lines === null) return
    const answer = await live.do(this.table, { type: "PlaceBets", round, lines })
    const lay = this.accepted
    const refused = this.slip.answered(answer.lines ?? [], answer.refusal ?? null)
    const taken = lines.filter((one) => !(keyOf(one.box, one.bet) in this.slip.refused))
    const now = { ...lay, ...Object.fromEntries(taken.map((one) => [keyOf(one.box, one.bet), one.amount])) }
    play(answer.refusal || refused ? "refused" : "accepted")
    if (answer.refusal) say.refused(answer.refusal)
    else if (refused) {
      const [why] = Object.values(this.slip.refused)
      say.news(`${t("partly", { refused, all: lines.length })} ${why!.sentence}`, why!.paragraph)
    }
    else say.done(t("accepted_total", { amount: show(Object.values(now).reduce((all, one) => all + one, 0)) }))
  }

  /** Any other command of the player; a refusal is said, and the answer handed back. */
  async send(command: AnyCommand): Promise<Answer> {
    const answer = await live.do(this.table, command)
    if (answer.refusal) say.refused(answer.refusal)
    return answer
  }

  /** Remembers the stakes of the round for the next, once they play. */
  keep(): void {
    if (this.private === null || this.betting || Object.keys(this.accepted).length === 0) return
    this.last = this.accepted
    localStorage.setItem(place("last", this.table), JSON.stringify(this.last))
  }

  keepNet(net: number): void {
    this.lastNet = net
    sessionStorage.setItem(place("net", this.table), JSON.stringify({ net }))
  }

  /** What was refused in that round is still told after the page was loaded again. */
  recall(round: number): void {
    const held = stored(sessionStorage, place("refused", this.table)) as { round?: number; refused?: Slip["refused"] }
    if (round > 0 && held.round === round) this.slip.refused = held.refused ?? {}
  }
  remember(round: number): void {
    sessionStorage.setItem(place("refused", this.table), JSON.stringify({ round, refused: this.slip.refused }))
  }

  /** Betting has closed over chips that were never confirmed. */
  abandon(): void {
    if (this.slip.empty || this.slip.sent !== null) return
    const amount = this.slip.more(this.accepted)
    this.slip.reset()
    if (amount > 0) say.news(t("unconfirmed", { amount: show(amount) }))
  }
}

/** The limits as they are announced at the table. */
export function limitsOf(setup: Setup | null): string {
  if (setup === null) return ""
  const limits = t("limits", { minimum: show(setup.minimum), differential: show(setup.differential) })
  return setup.maximum === null ? limits : `${limits} · ${t("side_most", { amount: show(setup.maximum) })}`
}

/** Nobody is offered the bets of whoever sat here before. */
const place = (what: "last" | "net" | "refused", table: string): string => `puntobanco.${what}.${session.me?.person}.${table}`

function kept(table: string): Amounts {
  return stored(localStorage, place("last", table)) as Amounts
}

function stored(storage: Storage, key: string): object {
  try {
    return (JSON.parse(storage.getItem(key) ?? "{}") as object | null) ?? {}
  } catch {
    return {}
  }
}
