import { expect, test } from "vitest"
import { read, short, show, signed } from "./money"

test("cents become text without a rounding", () => {
  expect(show(125_000)).toBe("1,250")
  expect(show(125_050)).toBe("1,250.50")
  expect(show(5)).toBe("0.05")
  expect(show(-9_505)).toBe("−95.05")
  expect(signed(100)).toBe("+1")
  expect(show(123_456_789_012)).toBe("1,234,567,890.12")
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
