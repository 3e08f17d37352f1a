/** A pay line's condition in words. */

import type { When } from "../wire"
import { area } from "./words.svelte"

const t = area(
  {
    winner_player: "Player wins",
    winner_banker: "Banker wins",
    winner_tie: "Tie",
    points: "with {numbers}",
    cards: "on {numbers} cards",
    margin: "by {numbers}",
    player_points: "Player has {numbers}",
    banker_points: "Banker has {numbers}",
    player_cards: "Player's {numbers} cards",
    banker_cards: "Banker's {numbers} cards",
    player_pair: "Player's first two cards are a pair",
    banker_pair: "Banker's first two cards are a pair",
    natural: "natural",
    not: "not: {what}",
    or: " or ",
    and: ", ",
  },
  {
    winner_player: "闲赢",
    winner_banker: "庄赢",
    winner_tie: "和",
    points: "{numbers} 点",
    cards: "{numbers} 张牌",
    margin: "相差 {numbers}",
    player_points: "闲 {numbers} 点",
    banker_points: "庄 {numbers} 点",
    player_cards: "闲 {numbers} 张",
    banker_cards: "庄 {numbers} 张",
    player_pair: "闲首两张成对",
    banker_pair: "庄首两张成对",
    natural: "例牌",
    not: "非：{what}",
    or: "或",
    and: "，",
  },
)

const NUMBERS = ["points", "cards", "margin", "player_points", "banker_points", "player_cards", "banker_cards"] as const
const FLAGS = ["player_pair", "banker_pair", "natural"] as const

export function condition(when: When): string {
  const said: string[] = []
  if (when.winner) said.push(t(`winner_${when.winner}`))
  for (const name of NUMBERS) {
    const numbers = when[name]
    if (numbers?.length) said.push(t(name, { numbers: spans(numbers).join(t("or")) }))
  }
  for (const name of FLAGS) {
    const flag = when[name]
    if (flag === true) said.push(t(name))
    else if (flag === false) said.push(t("not", { what: t(name) }))
  }
  return said.join(t("and"))
}

/** `0, 1, 2, 5` as `0–2` and `5`. */
export function spans(numbers: readonly number[]): string[] {
  const found: [number, number][] = []
  for (const one of [...numbers].sort((a, b) => a - b)) {
    const last = found.at(-1)
    if (last && last[1] === one - 1) last[1] = one
    else found.push([one, one])
  }
  return found.map(([from, to]) => (from === to ? `${from}` : to === from + 1 ? `${from}, ${to}` : `${from}–${to}`))
}
