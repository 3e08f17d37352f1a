/** The games of the house as their files say they are, each asked for once. */

import { api } from "./api"
import type { GameCard } from "./wire"
import { betWords } from "./words/bets"
import { named } from "./words/words.svelte"

const games: { [key: string]: GameCard } = $state({})
const asked = new Set<string>()

/** As soon as it is known here. */
export function game(key: string | undefined): GameCard | undefined {
  if (key !== undefined && !asked.has(key)) {
    asked.add(key)
    api("game", { path: { game: key } }).then(
      (card) => (games[key] = card),
      () => asked.delete(key),
    )
  }
  return key === undefined ? undefined : games[key]
}

export function betTitle(key: string | undefined, bet: string): string {
  return betWords(game(key)?.content, bet)
}

/** The bets that a felt carries: a layout that names none carries them all. */
export function betsOn(content: GameCard["content"] | undefined, key: string | null | undefined): GameCard["content"]["bet"] {
  const carried = content?.layout?.find((one) => one.key === key)?.bets ?? []
  return (content?.bet ?? []).filter((one) => !carried.length || carried.includes(one.key))
}

/** What a paragraph says, in the reader's language. */
export function paragraphText(key: string | undefined, paragraph: string): string {
  const found = game(key)?.paragraphs[paragraph]
  return found ? named(found) : ""
}
