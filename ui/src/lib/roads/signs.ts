/** The signs by which a road names the bets that won beside the winner and the pairs: as short as tells them apart. */

import type { Bet, Game } from "../wire"
import { FELT, feltWords } from "../words/common"

export interface Signed {
  readonly bet: Bet
  readonly sign: string
}

/** Marks have their own flags for these. */
const FLAGGED: ReadonlySet<string> = new Set(["tie", "player_pair", "banker_pair"])

/** The bets of a layout that get a sign, in the order of the file. */
export function signsOf(game: Game | null | undefined, layoutKey: string | null | undefined): readonly Signed[] {
  const carried = game?.layout?.find((one) => one.key === layoutKey)?.bets ?? []
  const bets = (game?.bet ?? []).filter(
    (bet) => !bet.original && !FLAGGED.has(bet.key) && (carried.length === 0 || carried.includes(bet.key)),
  )
  const titles = bets.map((bet) => feltWords(bet.title))
  return bets.map((bet, at) => ({ bet, sign: shortest(titles[at]!, titles.filter((_, other) => other !== at)) }))
}

/** The shortest beginning that no other title shares and that is no sign of the winner. */
function shortest(title: string, others: readonly string[]): string {
  const taken = Object.values(FELT)
  for (let length = 1; length < title.length; length += 1) {
    const sign = title.slice(0, length)
    if (!taken.includes(sign) && !others.some((other) => other.startsWith(sign))) return sign
  }
  return title
}
