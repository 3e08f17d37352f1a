import { expect, test } from "vitest"
import amounts from "./amounts.json"
import { read, short, show, signed } from "./money"

test("cents become text without a rounding, as in the sentences of the house", () => {
  for (const [cents, text] of amounts) expect(show(Number(cents))).toBe(text)
  expect(signed(100)).toBe("+1")
})

test("what a person types is an amount or nothing", () => {
  expect(read("1,250.5")).toBe(125_050)
  expect(read(" 500 ")).toBe(50_000)
  for (const wrong of ["", "-5", "1e3", "1,25", "5.001", "abc", "0x10", "5 5"]) expect(read(wrong)).toBeNull()
  for (const cents of [0, 1, 99, 100, 123_456]) expect(read(show(cents))).toBe(cents)
})

test("a chip says what it is worth in few signs", () => {
  expect([100, 2_500, 100_000, 500_000, 250_000, 100_000_000].map(short)).toEqual(["1", "25", "1K", "5K", "2.5K", "1M"])
})
