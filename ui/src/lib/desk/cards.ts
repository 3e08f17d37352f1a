/** Cards as people type them: `9S`, `10d`, `TD`, `K♥`, or just `9`. */

import type { Card, Rank, Suit } from "../wire"

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"] as const
export const SUITS: readonly { readonly key: "S" | "H" | "D" | "C"; readonly sign: Suit }[] = [
  { key: "S", sign: "♠" },
  { key: "H", sign: "♥" },
  { key: "D", sign: "♦" },
  { key: "C", sign: "♣" },
]

const WRITTEN = /^(A|[2-9]|10|T|J|Q|K)([SHDC♠♥♦♣]?)$/i

export function readCard(text: string): Card | null {
  const found = WRITTEN.exec(text.trim())
  if (found === null) return null
  const sign = found[1]!.toUpperCase()
  const rank = (RANKS.indexOf((sign === "T" ? "10" : sign) as (typeof RANKS)[number]) + 1) as Rank
  const suit = found[2]!.toUpperCase()
  return { rank, suit: SUITS.find((one) => one.key === suit || one.sign === suit)?.sign ?? null }
}

/** Cards parted by blanks or commas; `?` is one whose face nobody saw. What is no card is given back as text. */
export function readCards(text: string): { cards: (Card | null)[]; wrong: string | null } {
  const cards: (Card | null)[] = []
  for (const word of text.replaceAll(",", " ").split(/\s+/).filter(Boolean)) {
    const card = word === "?" ? null : readCard(word)
    if (card === null && word !== "?") return { cards, wrong: word }
    cards.push(card)
  }
  return { cards, wrong: null }
}

export function showCard(card: Card | null): string {
  return card === null ? "?" : RANKS[card.rank - 1]! + (card.suit ?? "")
}

/** What is typed so far, one key more; nothing changes if the key is no part of a card. */
export function typed(text: string, key: string): string {
  const more = key.toUpperCase()
  const rank = /^(A|[2-9]|10|T|J|Q|K)$/
  if (/^[SHDC]$/.test(more)) return rank.test(text.replace(/[SHDC]$/, "")) ? text.replace(/[SHDC]$/, "") + more : text
  if (text === "1" && more === "0") return "10"
  if (more === "1") return "1"
  if (more === "T") return "10"
  return rank.test(more) ? more : text
}

export function isCardKey(key: string): boolean {
  return /^[0-9ATJQKSHDC]$/i.test(key)
}
