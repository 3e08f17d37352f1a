/** Bets as people call them: by their title in the game file, and insurance by the window it was taken in too. */

import type { Game, Window } from "../wire"
import { area, named } from "./words.svelte"

const windows = area<Window>(
  { four: "{bet} (after four cards)", five: "{bet} (after the Player's third card)" },
  { four: "{bet}（四张牌后）", five: "{bet}（闲家补牌后）" },
)

/** `banker_insurance@four` is a bet on `banker_insurance` in the window `four`. */
export function betWords(game: Game | null | undefined, key: string): string {
  const [name, window] = key.split("@")
  const found = game?.bet.find((one) => one.key === name)
  if (found === undefined) return key
  const bet = named(found.title)
  return window === "four" || window === "five" ? windows(window, { bet }) : bet
}
