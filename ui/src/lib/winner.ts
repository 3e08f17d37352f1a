import type { Outcome } from "./wire"

export type Winner = "banker" | "player" | "tie"

export function winnerOf(one: Outcome): Winner {
  return one.banker_points > one.player_points ? "banker" : one.player_points > one.banker_points ? "player" : "tie"
}
