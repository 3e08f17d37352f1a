import { expect, test } from "vitest"
import { session } from "../../lib/session.svelte"
import type { AnyEntry, Me } from "../../lib/wire"
import { entryWords } from "./entries"

session.me = { person: "ann", title: "Ann Lee" } as Me

const by = { person: "cal", post: "cashier", at: 0 } as const

test("the journal says in words what it keeps as codes", () => {
  const proof = { type: "ProofSet", person: "ann", how: "pin", by } as unknown as AnyEntry
  expect(entryWords(proof)).toBe("Ann Lee has a new PIN")
  const sent = { table: "t-1", version: 7, stage: "publishing", error: "ValueError" }
  const incident = { type: "IncidentRaised", number: 3, incident: sent, by } as unknown as AnyEntry
  expect(entryWords(incident)).toBe("Incident 3 at t-1 (version 7), after a command took effect: ValueError")
})

test("what waits for a second person or a guest reads as it does at their screens", () => {
  const command = { type: "BuyIn", person: "ann", amount: 5000 }
  const asked = { type: "SecondAsked", number: 4, table: "t-1", command, by } as unknown as AnyEntry
  expect(entryWords(asked)).toBe("Number 4 waits to be confirmed: Buy-in of Ann Lee at t-1: 50")
})

test("a refusal is told by its sentence, or by its code if nobody knows more", () => {
  const given = { type: "SecondGiven", number: 4, refused: "not_missing", by } as unknown as AnyEntry
  expect(entryWords(given, "There is no missing chip number 1.")).toBe("Number 4 was confirmed, but refused: There is no missing chip number 1.")
  expect(entryWords(given)).toBe("Number 4 was confirmed, but refused: not_missing")
  const wrong = { type: "SignInRefused", person: "ann", reason: "sign_in_failed", by } as unknown as AnyEntry
  expect(entryWords(wrong, "Name or password is wrong.")).toBe("A sign-in as ann was refused: Name or password is wrong.")
})
