import { expect, test } from "vitest"
import { readCard, readCards, showCard, typed } from "./cards"

function typing(...keys: string[]): string {
  return keys.reduce(typed, "")
}

test("a card is read as dealers write it", () => {
  expect(readCard("9S")).toEqual({ rank: 9, suit: "♠" })
  expect(readCard("td")).toEqual({ rank: 10, suit: "♦" })
  expect(readCard("10♥")).toEqual({ rank: 10, suit: "♥" })
  expect(readCard("k")).toEqual({ rank: 13, suit: null })
  expect(readCard("1S")).toBeNull()
  expect(readCard("")).toBeNull()
})

test("several cards are read in their order, one nobody saw among them", () => {
  expect(readCards("9S, ? 10D")).toEqual({
    cards: [{ rank: 9, suit: "♠" }, null, { rank: 10, suit: "♦" }],
    wrong: null,
  })
  expect(readCards("9S 1X").wrong).toBe("1X")
})

test("a card is shown as the house shows it", () => {
  expect(showCard({ rank: 10, suit: "♦" })).toBe("10♦")
  expect(showCard(null)).toBe("?")
})

test("keys make a card: the rank, then the suit; a second rank begins anew", () => {
  expect(typing("9", "s")).toBe("9S")
  expect(typing("1", "0", "d")).toBe("10D")
  expect(typing("t", "d")).toBe("10D")
  expect(typing("9", "s", "h")).toBe("9H")
  expect(typing("9", "s", "k", "c")).toBe("KC")
  expect(typing("s")).toBe("")
  expect(typing("1", "s")).toBe("1")
})
