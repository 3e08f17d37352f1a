import { describe, expect, it } from "vitest"
import { fold, heldAt, type Point, shows } from "./fold"

const place = ([a, b, c, d, e, f]: readonly number[], [x, y]: Point): Point => [a! * x + c! * y + e!, b! * x + d! * y + f!]
const near = (found: Point, wanted: Point): void => found.forEach((one, at) => expect(one).toBeCloseTo(wanted[at]!, 6))

describe("where a card is held", () => {
  it("is the nearest edge, or the corner", () => {
    expect(heldAt([96, 70])).toEqual([100, 70])
    expect(heldAt([50, 136])).toEqual([50, 140])
    expect(heldAt([90, 130])).toEqual([100, 140])
    expect(heldAt([-5, 3])).toEqual([0, 0])
  })
})

describe("a fold", () => {
  it("lays the face on the flap the right way round", () => {
    const up = fold([50, 140], [0, -40])!
    expect(up.share).toBeCloseTo(20 / 140, 6)
    near(place(up.matrix, [0, 140]), [100, 100]) // the lower left corner of the face is under the lower right of the back
    near(place(up.matrix, [100, 120]), [0, 120]) // on the crease nothing moves
    const [a, b, c, d] = up.matrix
    expect(a * d - b * c).toBeCloseTo(1, 6)
  })

  it("keeps all of the card: what lies and the flap together", () => {
    const corner = fold([100, 140], [-60, -30])!
    expect(corner.lying.length + corner.flap.length).toBe(8)
    near(place(corner.matrix, [0, 140]), [40, 110])
  })

  it("follows inwards only", () => {
    expect(fold([50, 140], [0, 30])).toBeNull()
    expect(fold([0, 0], [-20, -20])).toBeNull()
    expect(fold([100, 70], [0, 60])).toBeNull()
    expect(fold([100, 70], [-10, 60])!.share).toBeLessThan(0.3)
    expect(fold([0, 70], [300, 0])!.share).toBe(1)
  })

  it("shows the pips at its edge first", () => {
    const side = fold([100, 70], [-90, 0])! // the left side of the face
    expect([shows(side, [35, 30]), shows(side, [65, 30])]).toEqual([true, false])
    const wide = fold([100, 70], [-140, 0])!
    expect(shows(wide, [65, 30])).toBe(true)
  })
})
