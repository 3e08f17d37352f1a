import { expect, test } from "vitest"
import { facesOf, saidOfSeen } from "./seen"
import type { Phase, PublicView } from "./wire"

const view = (phase: Phase, waiting: (string | null)[], faults?: string[]): Pick<PublicView, "phase" | "waiting" | "options"> => ({
  phase,
  waiting,
  ...(faults && {
    options: { question: 1, people: [], elections: {}, own: [], returns_by: { ruleset: "commission", paragraph: "5.12.3" }, deadline: 0, faults } as unknown as NonNullable<PublicView["options"]>,
  }),
})

test("nobody is told of a card that nobody has seen", () => {
  expect(saidOfSeen(view("betting", [null]))).toEqual([])
  expect(saidOfSeen(view("dealing", []))).toEqual([])
})

test("a card that was seen is named, with where it goes and what silence means", () => {
  expect(facesOf(view("betting", ["9♠", null]))).toEqual(["9♠"])
  const said = (phase: Phase): string => saidOfSeen(view(phase, ["9♠"])).join(" ")
  expect(saidOfSeen(view("options", ["9♠"], [])).join(" ")).toBe(
    "Seen before time: 9♠. What was seen is dealt next, in this round or the next." +
      " A player who does not choose goes on with every bet of the round.",
  )
  expect(said("betting")).toContain("This round begins with what was seen. A player who does nothing places no bet")
  expect(said("without_bets")).toContain("The next round begins with what was seen. Nobody has to bet")
  expect(said("decision")).toContain("Until the decision, every bet stays as it is.")
  expect(said("dealing")).toContain("Every bet of the round goes on.")
})

test("bets that the cards have decided are named", () => {
  const decided = { ...view("betting", ["9♠", "5♥", "K♠"]), game: "commission", not_offered: ["player", "player_pair"] }
  expect(saidOfSeen(decided).join(" ")).toContain("Not offered in this round:")
})

test("whoever chooses is told what happened", () => {
  expect(saidOfSeen(view("options", [], ["face_up", "other_dealing_error"]))).toEqual([
    "A card was dealt face up by mistake.",
    "There was a dealing error.",
    "A player who does not choose goes on with every bet of the round.",
  ])
})
