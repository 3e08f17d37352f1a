/** Cards keyed ahead of their turn: each knows the place it was keyed for, and is sent there or not at all. */

import type { Card } from "../../lib/wire"

/** Where a card goes: the round, and how many faces lie on the table before it. */
export interface Place {
  readonly round: number
  readonly faces: number
}

export interface Keyed extends Place {
  readonly text: string
  readonly card: Card
}

/** What the table is ready for. */
export interface Moment extends Place {
  /** A card is due, and its face is wanted. */
  readonly due: boolean
  /** Something sent is not answered yet, or its answer not shown yet. */
  readonly underway: boolean
}

/** `due`: now. `later`: nothing is known yet. `not_due`: no card is wanted. `passed`: another card lies in its place. */
export type Turn = "due" | "later" | "not_due" | "passed"

export function turnOf(place: Place, now: Moment): Turn {
  if (now.underway) return "later"
  if (!now.due) return "not_due"
  return place.round === now.round && place.faces === now.faces ? "due" : "passed"
}

/** The place of the next card to be keyed: after what lies there, what is on its way, and what waits. */
export function nextPlace(now: Moment, sent: Place | null, waiting: number): Place {
  const lies = now.underway && sent?.round === now.round ? Math.max(now.faces, sent.faces + 1) : now.faces
  return { round: now.round, faces: lies + waiting }
}
