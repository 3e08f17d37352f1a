/** The felt of a layout, drawn from the game file: which bets it carries and what each pays. It decides nothing. */

import type { Bet, Game, PayLine, Side } from "../../lib/wire"

export interface Zone {
  readonly bet: Bet
  readonly lines: readonly PayLine[]
  /** Beside which hand it lies. */
  readonly side: Side | "middle"
  readonly odds: string
}

export interface Felt {
  readonly main: readonly Zone[]
  readonly beside: readonly Zone[]
  readonly insurance: readonly Zone[]
  readonly all: ReadonlyMap<string, Zone>
}

export function feltOf(game: Game, layoutKey: string | null): Felt {
  const layout = game.layout?.find((one) => one.key === layoutKey) ?? null
  const carried = layout?.bets ?? []
  const zones = game.bet
    .filter((bet) => carried.length === 0 || carried.includes(bet.key))
    .map((bet) => zoneOf(bet, layoutKey))
  const main = zones.filter((zone) => zone.bet.original || zone.bet.key === "tie")
  const insurance = zones.filter((zone) => zone.bet.insures)
  return {
    main: [...main].sort((one, other) => order(one) - order(other)),
    beside: zones.filter((zone) => !main.includes(zone) && !insurance.includes(zone)),
    insurance,
    all: new Map(zones.map((zone) => [zone.bet.key, zone])),
  }
}

function zoneOf(bet: Bet, layout: string | null): Zone {
  const lines = (bet.lines ?? []).filter(
    (line) => !line.layouts?.length || (layout !== null && line.layouts.includes(layout)),
  )
  const paid = [...new Set(lines.map((line) => line.pays).filter((pays) => pays !== "push"))]
  return { bet, lines, side: sideOf(bet, lines), odds: paid.reverse().join(" · ") }
}

function sideOf(bet: Bet, lines: readonly PayLine[]): Side | "middle" {
  if (bet.key === "player" || bet.key === "banker") return bet.key
  const about = new Set(
    lines.map(({ when }) =>
      when.player_pair ? "player" : when.banker_pair ? "banker" : (when.winner ?? "middle"),
    ),
  )
  const only = about.size === 1 ? [...about][0] : "middle"
  return only === "player" || only === "banker" ? only : "middle"
}

const PLACES: { readonly [key: string]: number } = { player: 0, tie: 1, banker: 2 }
const order = (zone: Zone): number => PLACES[zone.bet.key] ?? 1
