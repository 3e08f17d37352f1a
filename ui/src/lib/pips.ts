/** How a card is drawn: where its pips lie, and the outlines of the four suits, in a field of 100 by 140. */

export type Suit = "♠" | "♥" | "♦" | "♣"

export const OUTLINE: { readonly [suit in Suit]: string } = {
  "♠": "M0-10C4-5 9-2 9 3.5A4.6 4.6 0 0 1 1.3 6.6Q1.5 9 3.5 10H-3.5Q-1.5 9-1.3 6.6A4.6 4.6 0 0 1-9 3.5C-9-2-4-5 0-10Z",
  "♥": "M0 10C-4 4.5-10 1.5-10-4A5 5 0 0 1 0-6.2A5 5 0 0 1 10-4C10 1.5 4 4.5 0 10Z",
  "♦": "M0-10.5Q3.5-4.5 7.8 0Q3.5 4.5 0 10.5Q-3.5 4.5-7.8 0Q-3.5-4.5 0-10.5Z",
  "♣": "M0-10A4.7 4.7 0 0 1 3.7-2.2A4.7 4.7 0 1 1 1.2 5Q1.5 8.5 3.5 10H-3.5Q-1.5 8.5-1.2 5A4.7 4.7 0 1 1-3.7-2.2A4.7 4.7 0 0 1 0-10Z",
}

const L = 35
const M = 50
const R = 65
type Place = readonly [x: number, y: number]
const rows = (...at: readonly number[]): Place[] => at.flatMap((y) => [[L, y] as Place, [R, y] as Place])

export const PIPS: { readonly [rank: string]: readonly Place[] } = {
  A: [[M, 70]],
  "2": [[M, 30], [M, 110]],
  "3": [[M, 30], [M, 70], [M, 110]],
  "4": rows(30, 110),
  "5": [...rows(30, 110), [M, 70]],
  "6": rows(30, 70, 110),
  "7": [...rows(30, 70, 110), [M, 50]],
  "8": [...rows(30, 70, 110), [M, 50], [M, 90]],
  "9": [...rows(30, 56.7, 83.3, 110), [M, 70]],
  "10": [...rows(30, 56.7, 83.3, 110), [M, 43.3], [M, 96.7]],
}

/** `10♦` as its rank and suit; a card keyed in without a suit has none. */
export function parted(face: string): { rank: string; suit: Suit | null } {
  const last = face.slice(-1)
  return last in OUTLINE ? { rank: face.slice(0, -1), suit: last as Suit } : { rank: face, suit: null }
}

export function isRed(suit: Suit | null): boolean {
  return suit === "♥" || suit === "♦"
}
