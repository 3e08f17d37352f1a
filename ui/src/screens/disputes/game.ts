/** Bets and paragraphs of the game a round was dealt by, as people call them. */

import type { GameCard } from "../../lib/wire"
import { language, named } from "../../lib/words/words.svelte"

export function betWords(game: GameCard | null, key: string): string {
  const [name = "", window = ""] = key.split("@")
  const bet = game?.content.bet.find((one) => one.key === name)
  return (bet ? named(bet.title) : name) + (window ? ` (${window})` : "")
}

export function summary(game: GameCard | null, paragraph: string): string {
  return game?.paragraphs[paragraph]?.[language()] ?? ""
}
