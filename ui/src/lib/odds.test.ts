import { expect, test } from "vitest"
import { paid } from "./odds"

test("odds are what a stake wins", () => {
  expect(paid("2:1", 100_00)).toBe(200_00)
  expect(paid("1.5:1", 100_00)).toBe(150_00)
  expect(paid("1:2", 100_00)).toBe(50_00)
  expect(paid("0.95:1", 20_00)).toBe(19_00)
})
