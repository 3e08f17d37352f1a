/** What the paragraphs of the game a round was dealt by say. */

import type { GameCard } from "../../lib/wire"
import { named } from "../../lib/words/words.svelte"

export function summary(game: GameCard | null, paragraph: string): string {
  return named(game?.paragraphs[paragraph] ?? {})
}
