import { expect, test } from "vitest"
import { overlap } from "./clearest"

test("boxes that only touch do not overlap", () => {
  const one = { left: 0, top: 0, right: 10, bottom: 10 }
  expect(overlap(one, { left: 10, top: 0, right: 20, bottom: 10 })).toBe(false)
  expect(overlap(one, { left: 9, top: 9, right: 20, bottom: 20 })).toBe(true)
  expect(overlap(one, { left: 2, top: 11, right: 8, bottom: 20 })).toBe(false)
})
