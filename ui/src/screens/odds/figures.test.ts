import { expect, it } from "vitest"
import type { Priced } from "../../lib/priced"
import { csv, percent, readShoe, signedPercent, writeShoe } from "./figures"

const one = {
  house_edge: "1/80",
  house_edge_resolved: "1/70",
  return_to_player: "79/80",
  probability: { win: "1/2", push: "0/1", lose: "1/2", void: "0/1" },
  stdev: 0.5,
  decimal: { house_edge: 0.0125, house_edge_resolved: 0.014, return_to_player: 0.9875, win: 0.5, push: 0, lose: 0.5, void: 0 },
}
const priced = { game: "own, game", layout: "A", decks: 8, bets: { tie: one } } as unknown as Priced

it("writes a shoe as the house reads it, and reads it back", () => {
  const counts = [32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20]
  expect(readShoe(writeShoe(counts))).toEqual(counts)
  expect(readShoe("A=1, T=2")).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0])
  expect(readShoe("A=one")).toBeNull()
  expect(readShoe("")).toBeNull()
})

it("writes a row for each bet, with what contains a comma in quotes", () => {
  const [head, row, end] = csv(priced, { tie: Array<number>(13).fill(0.001) }).split("\r\n")
  expect(head!.split(",").length).toBe(row!.replace('"own, game"', "own").split(",").length)
  expect(row).toMatch(/^"own, game",A,8 decks,tie,1\/80,0\.0125,/)
  expect(end).toBe("")
})

it("says percentages with a sign that can be read", () => {
  expect(percent(0.010579)).toBe("1.0579 %")
  expect(percent(-0.5, 1)).toBe("−50.0 %")
  expect(signedPercent(0.001, 2)).toBe("+0.10 %")
})
