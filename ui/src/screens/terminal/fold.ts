/** How a card folds: the place where it is held moves, and the crease lies halfway. In a field of 100 by 140, as the card
 * lies before the player: its back above, its face below. */

export type Point = readonly [x: number, y: number]

export const WIDTH = 100
export const HEIGHT = 140
/** Nearer to a corner than this, it is the corner that is held. */
const CORNER = 26
/** How far a crease may lean from the edge it began at. */
const LEANS = 1.2
const LEAST = 0.5
const CARD: readonly Point[] = [[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]]

export interface Fold {
  /** What still lies there with its back up. */
  readonly lying: readonly Point[]
  /** What is folded over, with its face up. */
  readonly flap: readonly Point[]
  /** The matrix that lays the face on the flap. */
  readonly matrix: readonly [number, number, number, number, number, number]
  /** A place on the crease, and one as far from it as the flap reaches. */
  readonly crease: Point
  readonly tip: Point
  /** How much of the card is folded over, from 0 to 1. */
  readonly share: number
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

/** Where a card is held that is touched there: the corner or the edge that is nearest. */
export function heldAt([x, y]: Point): Point {
  const side = x < WIDTH / 2 ? 0 : WIDTH
  const end = y < HEIGHT / 2 ? 0 : HEIGHT
  const [across, along] = [Math.abs(x - side), Math.abs(y - end)]
  if (across < CORNER && along < CORNER) return [side, end]
  return across < along ? [side, clamp(y, 0, HEIGHT)] : [clamp(x, 0, WIDTH), end]
}

/** As far as card can follow: inwards, and at an edge not along it. */
function followed([x, y]: Point, [dx, dy]: Point): Point {
  const inX = x === 0 ? 1 : x === WIDTH ? -1 : 0
  const inY = y === 0 ? 1 : y === HEIGHT ? -1 : 0
  if (inX && inY) return [inX * Math.max(0, inX * dx), inY * Math.max(0, inY * dy)]
  const inwards = Math.max(0, inX ? inX * dx : inY * dy)
  const along = clamp(inX ? dy : dx, -LEANS * inwards, LEANS * inwards)
  return inX ? [inX * inwards, along] : [along, inY * inwards]
}

/** The card folded so that the place where it is held lies that much further; nothing while it lies flat. */
export function fold(held: Point, by: Point): Fold | null {
  const [dx, dy] = followed(held, by)
  const length = Math.hypot(dx, dy)
  if (length < LEAST) return null
  const [nx, ny] = [dx / length, dy / length]
  const crease: Point = [held[0] + dx / 2, held[1] + dy / 2]
  const beyond = ([x, y]: Point): number => (x - crease[0]) * nx + (y - crease[1]) * ny
  const over = (point: Point): Point => {
    const far = 2 * beyond(point)
    return [point[0] - far * nx, point[1] - far * ny]
  }
  const lifted = cut(CARD, (point) => -beyond(point))
  const offset = 2 * (crease[0] * nx + crease[1] * ny)
  const [xx, xy, yy] = [1 - 2 * nx * nx, -2 * nx * ny, 1 - 2 * ny * ny]
  const reach = Math.max(...lifted.map((point) => -beyond(point)))
  return {
    lying: cut(CARD, beyond),
    flap: lifted.map(over),
    // the face is printed the other way round, seen through the back
    matrix: [-xx, -xy, xy, yy, xx * WIDTH + offset * nx, xy * WIDTH + offset * ny],
    crease,
    tip: [crease[0] + reach * nx, crease[1] + reach * ny],
    share: area(lifted) / (WIDTH * HEIGHT),
  }
}

/** Whether a place of the face can be seen on the flap. */
export function shows({ matrix, crease, tip }: Fold, [x, y]: Point): boolean {
  const [a, b, c, d, e, f] = matrix
  return (a * x + c * y + e - crease[0]) * (tip[0] - crease[0]) + (b * x + d * y + f - crease[1]) * (tip[1] - crease[1]) > 0
}

/** The part of a polygon where something is positive. */
function cut(points: readonly Point[], side: (point: Point) => number): Point[] {
  return points.flatMap((point, at) => {
    const next = points[(at + 1) % points.length]!
    const [here, there] = [side(point), side(next)]
    const kept: Point[] = here >= 0 ? [point] : []
    if (here < 0 !== there < 0) {
      const share = here / (here - there)
      kept.push([point[0] + share * (next[0] - point[0]), point[1] + share * (next[1] - point[1])])
    }
    return kept
  })
}

function area(points: readonly Point[]): number {
  const twice = points.reduce((all, [x, y], at) => {
    const [nextX, nextY] = points[(at + 1) % points.length]!
    return all + x * nextY - nextX * y
  }, 0)
  return Math.abs(twice) / 2
}
