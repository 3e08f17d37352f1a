import { expect, test } from "vitest"
import type { Card, NextStep } from "../../lib/wire"
import { asSent, codeAt, early } from "./step"

const squeezed: NextStep = {
  code: "expose", meanwhile: "wait_squeeze", deadline: 1_000, wants_card: true,
  command: { type: "ExposeCard", round: 1, index: 5 },
}

test("a step with a meanwhile is that until its deadline, and itself from then on", () => {
  expect(codeAt(squeezed, 999)).toBe("wait_squeeze")
  expect(codeAt(squeezed, 1_000)).toBe("expose")
  expect(codeAt({ code: "close", deadline: 1_000 }, 0)).toBe("close")
  expect([early(squeezed, 999), early(squeezed, 1_000), early({ code: "close", deadline: 1_000 }, 0)]).toEqual([true, false, false])
})

test("a command is sent as it came, with the card where one is wanted", () => {
  const card: Card = { rank: "9", suit: "♠" } as unknown as Card
  expect(asSent(squeezed, null)).toBeNull()
  expect(asSent(squeezed, card)).toEqual({ type: "ExposeCard", round: 1, index: 5, card })
  expect(asSent({ code: "settle", command: { type: "Settle", round: 2 } }, card)).toEqual({ type: "Settle", round: 2 })
  expect(asSent({ code: "wait_pit" }, null)).toBeNull()
})
