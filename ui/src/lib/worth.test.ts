import { expect, test } from "vitest"
import { gains } from "./worth"

test("the best bet comes first, and a bet that is decided favours nobody", () => {
  const found = gains({ banker: -232_490, player: 215_281, tie: 0, player_pair: 5_000_000 }, ["player_pair"])
  expect(found.map((one) => [one.bet, one.percent, one.favours, one.closed])).toEqual([
    ["player_pair", "+500.00 %", false, true],
    ["player", "+21.53 %", true, false],
    ["tie", "0.00 %", false, false],
    ["banker", "−23.25 %", false, false],
  ])
})
