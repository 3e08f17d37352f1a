/** What a player wants to stake before it is confirmed: absolute amounts on bets of boxes, and the way back.
 *
 * Nothing here is a bet. `lines` is the slip that is sent; the house takes or refuses each line. */

import type { Line, Stake, Refusal } from "../../lib/wire"

export type Amounts = { readonly [key: string]: number }

export const keyOf = (box: number, bet: string): string => `${box}/${bet}`

export function lineOf(key: string, amount: number): Line {
  const at = key.indexOf("/")
  return { box: Number(key.slice(0, at)), bet: key.slice(at + 1), amount }
}

export function amountsOf(stakes: readonly Pick<Stake, "box" | "bet" | "amount">[]): Amounts {
  return Object.fromEntries(stakes.filter((one) => !one.bet.includes("@")).map((one) => [keyOf(one.box, one.bet), one.amount]))
}

/** The most a bet may come to, as far as this screen was told; the house has the last word. */
export type Most = (key: string) => number

const same = (one: Amounts, other: Amounts): boolean =>
  Object.keys({ ...one, ...other }).every((key) => one[key] === other[key])

export class Slip {
  wanted: Amounts = $state.raw({})
  refused: { readonly [key: string]: Refusal } = $state.raw({})
  /** On its way: nothing changes until the answer. */
  sent: readonly Line[] | null = $state.raw(null)
  #before: readonly Amounts[] = $state.raw([])

  get empty(): boolean {
    return Object.keys(this.wanted).length === 0
  }
  get undoable(): boolean {
    return this.#before.length > 0 && this.sent === null
  }

  at(key: string, accepted: Amounts): number {
    return this.wanted[key] ?? accepted[key] ?? 0
  }

  /** How much more than is accepted the slip asks for. */
  more(accepted: Amounts): number {
    return Object.entries(this.wanted).reduce((all, [key, amount]) => all + amount - (accepted[key] ?? 0), 0)
  }

  put(key: string, amount: number, accepted: Amounts): void {
    this.#change({ [key]: amount }, accepted)
  }

  undo(): void {
    if (!this.undoable) return
    this.wanted = this.#before.at(-1) ?? {}
    this.#before = this.#before.slice(0, -1)
  }

  /** Nothing is wanted any more; undone, it is again. */
  clear(): void {
    if (this.sent !== null || this.empty) return
    this.#before = [...this.#before, this.wanted]
    this.wanted = {}
    this.refused = {}
  }

  /** A new round begins with nothing to go back to. */
  reset(): void {
    if (this.sent !== null) return
    this.wanted = {}
    this.refused = {}
    this.#before = []
  }

  /** Everything accepted is wanted back. */
  takeBack(accepted: Amounts): void {
    this.#change(Object.fromEntries(Object.keys(accepted).map((key) => [key, 0])), accepted)
  }

  /** The stakes of the round before, where nothing lies yet. */
  missing(last: Amounts, accepted: Amounts): [string, number][] {
    return Object.entries(last).filter(([key]) => this.at(key, accepted) === 0)
  }

  rebet(last: Amounts, accepted: Amounts, most: Most): void {
    this.#change(Object.fromEntries(this.missing(last, accepted).map(([key, amount]) => [key, Math.min(amount, most(key))])), accepted)
  }

  /** Twice what lies there, as far as the limits go. */
  double(accepted: Amounts, most: Most): void {
    const keys = new Set([...Object.keys(accepted), ...Object.keys(this.wanted)])
    const twice = [...keys].map((key) => {
      const now = this.at(key, accepted)
      return [key, Math.max(now, Math.min(now * 2, most(key)))]
    })
    this.#change(Object.fromEntries(twice) as Amounts, accepted)
  }

  #change(amounts: Amounts, accepted: Amounts): void {
    if (this.sent !== null) return
    const next = { ...this.wanted, ...amounts }
    const changed = Object.entries(next).filter(([key, amount]) => amount !== (accepted[key] ?? 0))
    const wanted = Object.fromEntries(changed)
    if (!same(wanted, this.wanted)) this.#before = [...this.#before, this.wanted]
    this.wanted = wanted
    const left = Object.entries(this.refused).filter(([key]) => !(key in amounts))
    this.refused = Object.fromEntries(left)
  }

  /** The slip as it is sent; nothing once it is on its way, so a second click sends nothing. */
  send(): readonly Line[] | null {
    if (this.sent !== null || this.empty) return null
    this.sent = Object.entries(this.wanted).map(([key, amount]) => lineOf(key, amount))
    this.refused = {}
    return this.sent
  }

  /** The house has answered: what it refused is told line by line, and nothing is wanted any more. */
  answered(refusals: readonly { readonly line: number; readonly why: Refusal }[], whole: Refusal | null): number {
    const lines = this.sent ?? []
    const refused: { [key: string]: Refusal } = {}
    for (const { line, why } of refusals) {
      const one = lines[line]
      if (one) refused[keyOf(one.box, one.bet)] = why
    }
    if (whole) for (const one of lines) refused[keyOf(one.box, one.bet)] ??= whole
    this.refused = refused
    this.sent = null
    this.wanted = {}
    this.#before = []
    return Object.keys(refused).length
  }
}
