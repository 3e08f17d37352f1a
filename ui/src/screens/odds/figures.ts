/** The figures of the desk as screens read them, and as files people take away. */

import type { Priced } from "../../lib/priced"
import type { Figures } from "../../lib/wire"
import { named } from "../../lib/words/words.svelte"

export interface Run {
  readonly requested: number
  readonly rounds: number
  readonly complete: boolean
  readonly rounds_per_second: number
  readonly decks: number
  readonly seed: number
  readonly chi_square: { readonly p: number }
  readonly bets: {
    readonly [bet: string]: { readonly house_edge: number; readonly stderr: number; readonly exact: number; readonly z: number }
  }
  readonly path: readonly { readonly rounds: number; readonly bets: { readonly [bet: string]: readonly [number, number] } }[]
}

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"] as const
/** How many standard errors hold 99 of 100 honest runs. */
export const BAND = 2.5758

/** `1.0579 %`; a minus that is a minus. */
export function percent(share: number, digits = 4): string {
  return `${(share * 100).toFixed(digits).replace("-", "−")} %`
}

export function signedPercent(share: number, digits = 4): string {
  const text = percent(share, digits)
  return share > 0 ? `+${text}` : text
}

export function titleOf(priced: Priced, bet: string): string {
  const names = priced.about.bets[bet]
  return names ? named(names) : bet
}

/** A shoe as it is written: `A=32,2=31,...`. Nothing if it is not one. */
export function readShoe(text: string): number[] | null {
  const counts = RANKS.map(() => 0)
  for (const part of text.split(",")) {
    const found = /^\s*(A|10|[2-9TJQK])\s*=\s*(\d{1,5})\s*$/i.exec(part)
    if (found === null) return null
    const rank = found[1]!.toUpperCase().replace(/^T$/, "10")
    counts[RANKS.indexOf(rank as (typeof RANKS)[number])] = Number(found[2])
  }
  return counts
}

export function writeShoe(counts: readonly number[]): string {
  return RANKS.map((rank, place) => `${rank}=${counts[place] ?? 0}`).join(",")
}

// ---- files -----------------------------------------------------------------------------------------------------------

const COLUMNS = ["house_edge", "house_edge_resolved", "return_to_player"] as const
const CHANCES = ["win", "push", "lose", "void"] as const

/** One row a bet, exact fractions beside decimals; removal effects by rank where they are known. */
export function csv(priced: Priced, removal: Figures["removal"]): string {
  const head = [
    "game", "layout", "shoe", "bet",
    ...[...COLUMNS, ...CHANCES].flatMap((name) => [name, `${name}_decimal`]),
    "stdev",
    ...(removal ? RANKS.map((rank) => `removal_${rank}`) : []),
  ]
  const rows = Object.entries(priced.bets).map(([bet, one]) => [
    priced.game, priced.layout ?? "", priced.shoe ?? `${priced.decks} decks`, bet,
    ...COLUMNS.flatMap((name) => [one[name], one.decimal[name]!]),
    ...CHANCES.flatMap((name) => [one.probability[name], one.decimal[name]!]),
    one.stdev,
    ...(removal ? (removal[bet] ?? []) : []),
  ])
  return [head, ...rows].map((row) => row.map(quoted).join(",")).join("\r\n") + "\r\n"
}

function quoted(value: string | number): string {
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function download(name: string, content: string, kind: string): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([content], { type: kind }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
