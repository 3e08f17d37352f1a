/** The exact figures of a game as the house gives them. */

import type { Figures } from "./wire"

interface Names {
  readonly en: string
  readonly zh: string
}

export interface Price {
  readonly house_edge: string
  readonly house_edge_resolved: string
  readonly return_to_player: string
  readonly probability: { readonly win: string; readonly push: string; readonly lose: string; readonly void: string }
  readonly stdev: number
  readonly decimal: { readonly [name: string]: number }
}

export interface InsuranceCell {
  readonly window: "four" | "five"
  readonly insures: "player" | "banker"
  readonly player: number
  readonly banker: number
  readonly odds: string
  readonly rule: string
  readonly ev: string | null
  readonly ev_decimal: number | null
}

export interface Priced {
  readonly game: string
  readonly layout: string | null
  readonly decks: number | null
  readonly shoe?: string
  readonly bets: { readonly [bet: string]: Price }
  readonly insurance?: readonly InsuranceCell[]
  readonly about: {
    readonly title: Names
    readonly decks: readonly [number, number]
    readonly layouts: readonly { readonly key: string; readonly title: Names }[]
    readonly bets: { readonly [bet: string]: Names }
  }
}

export function pricedOf(figures: Figures): Priced {
  return figures.figures as unknown as Priced
}
