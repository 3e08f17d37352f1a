import { expect, test } from "vitest"
import { lasted } from "./waited"

test("a wait is minutes and seconds, with hours only when there are any", () => {
  expect(lasted(0, 45_900)).toBe("0:45")
  expect(lasted(0, 725_000)).toBe("12:05")
  expect(lasted(0, 3_725_000)).toBe("1:02:05")
})

test("a clock that is behind shows no wait, never a negative one", () => {
  expect(lasted(10_000, 0)).toBe("0:00")
})
