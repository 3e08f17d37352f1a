import type { GuestProof } from "./wire"

/** Guests without an account: the table knows them by the name they gave with a mark in front. */

const MARK = "~"

export const isGuest = (person: string): boolean => person.startsWith(MARK)

/** The name that a guest gave at the table. */
export const guestName = (person: string): string => (isGuest(person) ? person.slice(MARK.length) : person)

/** Whether a guest who confirms with a PIN or a card has given it. */
export const isGiven = (proof: GuestProof | undefined): boolean => proof === undefined || !!(proof.pin ?? proof.card)
