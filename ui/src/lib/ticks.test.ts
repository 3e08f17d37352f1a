import { expect, test } from "vitest"
import { axisOf, decimals, logTicks, ticks } from "./ticks"

test("ticks are round, inside the range and never more than asked for", () => {
  expect(ticks(-3_400, 8_200, 5)).toEqual([0, 5_000])
  expect(ticks(0, 100, 5)).toEqual([0, 50, 100])
  expect(ticks(0.0102, 0.0109, 6)).toEqual([0.0102, 0.0104, 0.0106, 0.0108])
  for (const [from, to] of [[-1, 1], [-7e9, 3e9], [1e-7, 9e-7], [17, 18]] as const)
    for (const most of [3, 4, 5, 8]) {
      const found = ticks(from, to, most)
      expect(found.length).toBeLessThanOrEqual(most)
      expect(found.length).toBeGreaterThan(0)
      for (const one of found) expect(one >= from - 1e-12 && one <= to + 1e-12).toBe(true)
    }
})

test("a range of nothing has one tick", () => expect(ticks(5, 5, 4)).toEqual([5]))

test("an axis of shares always holds zero, and has room where nothing differs", () => {
  const axis = axisOf([0.012, 0.144], 5)
  expect([axis.ticks, axis.digits, axis.at(0), axis.at(0.072), axis.at(0.144)]).toEqual([[0, 5, 10], 0, 0, 50, 100])
  expect(axisOf([-0.03, -0.01], 5).at(0)).toBe(100)
  expect(Number.isFinite(axisOf([], 5).at(0))).toBe(true)
})

test("a logarithmic axis has powers of ten, and more where few lie inside", () => {
  expect(logTicks(1_000, 1_000_000)).toEqual([1_000, 10_000, 100_000, 1_000_000])
  expect(logTicks(1_500, 9_000)).toEqual([2_000, 5_000])
})

test("labels have the decimals that their step needs", () => {
  expect([decimals(5), decimals(0.5), decimals(0.0002), decimals(1)]).toEqual([0, 1, 4, 0])
})
