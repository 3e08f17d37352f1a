import { expect, test } from "vitest"
import { nextPlace, turnOf } from "./ahead"

const moment = { round: 3, faces: 2, due: true, underway: false }

test("a card waits while something is on its way, and is then sent to its own place or not at all", () => {
  const place = { round: 3, faces: 2 }
  expect(turnOf(place, moment)).toBe("due")
  expect(turnOf(place, { ...moment, underway: true, due: false })).toBe("later")
  expect(turnOf(place, { ...moment, due: false })).toBe("not_due")
  expect(turnOf(place, { ...moment, faces: 3 })).toBe("passed")
  expect(turnOf(place, { ...moment, round: 4 })).toBe("passed")
})

test("the next card goes behind what is on its way, whether the view or the answer comes first", () => {
  expect(nextPlace(moment, null, 0)).toEqual({ round: 3, faces: 2 })
  const sent = { round: 3, faces: 2 }
  expect(nextPlace({ ...moment, underway: true }, sent, 0)).toEqual({ round: 3, faces: 3 })
  expect(nextPlace({ ...moment, underway: true, faces: 3 }, sent, 2)).toEqual({ round: 3, faces: 5 })
  expect(nextPlace({ ...moment, underway: true, round: 4, faces: 0 }, sent, 1)).toEqual({ round: 4, faces: 1 })
})
