/** Round values for an axis. */

/** Between two values, both included where they are round: at most so many, a step of 1, 2 or 5 times a power of ten. */
export function ticks(from: number, to: number, most: number): number[] {
  if (!(to > from) || most < 2) return [from]
  const rough = (to - from) / most
  const power = 10 ** Math.floor(Math.log10(rough))
  const size = [1, 2, 5, 10, 20].find((one) => Math.floor(to / (one * power) + 1e-9) - Math.ceil(from / (one * power) - 1e-9) < most) ?? 20
  const step = size * power
  const first = Math.ceil(from / step - 1e-9)
  const last = Math.floor(to / step + 1e-9)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => round((first + place) * step, step))
}

/** A linear axis of shares that always holds zero. */
export interface Axis {
  /** In hundredths, as labels show them. */
  readonly ticks: readonly number[]
  /** How many decimals the ticks need. */
  readonly digits: number
  /** Where a share lies, in percent of the width. */
  at(share: number): number
}

export function axisOf(shares: readonly number[], most: number): Axis {
  const low = Math.min(0, ...shares)
  const high = Math.max(0, ...shares, low + 1e-9)
  const round = ticks(low * 100, high * 100, most)
  return {
    ticks: round,
    digits: round.length > 1 ? decimals(round[1]! - round[0]!) : 0,
    at: (share) => ((share - low) / (high - low)) * 100,
  }
}

/** The powers of ten between two values, with 2 and 5 times each where fewer than two powers lie between them. */
export function logTicks(from: number, to: number): number[] {
  const powers = Array.from({ length: 25 }, (_, power) => 10 ** power)
  const inside = (values: number[]): number[] => values.filter((one) => one >= from * (1 - 1e-9) && one <= to * (1 + 1e-9))
  const plain = inside(powers)
  return plain.length > 1 ? plain : inside(powers.flatMap((one) => [one, 2 * one, 5 * one]))
}

/** How many decimals a value needs where neighbours differ by that step. */
export function decimals(step: number): number {
  return Math.max(0, Math.min(8, -Math.floor(Math.log10(step) + 1e-9)))
}

function round(value: number, step: number): number {
  const places = decimals(step)
  return places ? Number(value.toFixed(places)) : Math.round(value)
}
