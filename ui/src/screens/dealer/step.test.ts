import { expect, test } from "vitest"
import type { Phase, PublicView } from "../../lib/wire"
import { nextStep } from "./step"

const view = (phase: Phase, more: Partial<PublicView> = {}): PublicView =>
  ({ phase, round: 1, cards: [], waiting: [], boxes: [], allowed: [], deadline: 0, ...more }) as unknown as PublicView

const kind = (shown: PublicView, automatic = false): string => nextStep(shown, automatic, null, 0).kind

test.each<Phase>(["idle", "settled", "voided", "without_bets", "decided"])(
  "after a round that ended %s, a dealer waits for whoever lets the next open on several exposed cards",
  (phase) => expect(kind(view(phase, { waiting: ["9♠", "5♦"], allowed: ["LoadShoe"] }))).toBe("wait_permit"),
)

test("boxes are confirmed one after the other, and nothing opens before the last", () => {
  const paying = view("paying", { unpaid: [3, 5], allowed: ["ConfirmBox"] })
  expect(nextStep(paying, false, null, 0).command).toEqual({ type: "ConfirmBox", round: 1, box: 3 })
  expect(kind(view("settled", { unpaid: [], allowed: ["OpenBetting"] }))).toBe("open")
})
