import { expect, test } from "vitest"
import { rack, stack } from "./chips"

test("a rack begins just below the minimum and ends at what may be staked", () => {
  expect(rack(10_00, 5_000_00, 100)).toEqual([5_00, 25_00, 100_00, 500_00, 1_000_00, 5_000_00])
  expect(rack(100_00, 1_000_00, 100)).toEqual([100_00, 500_00, 1_000_00])
  expect(rack(1_00, 100_000_00, 5_00)[0]).toBe(5_00)
})

test("a stack makes the amount with the fewest chips", () => {
  expect(stack(630_00)).toEqual([500_00, 100_00, 25_00, 5_00])
})
