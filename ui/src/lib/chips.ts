/** Chips: which there are, what colour each has, and how an amount is stacked. */

export const DENOMINATIONS: readonly number[] = [
  1_00, 5_00, 25_00, 100_00, 500_00, 1_000_00, 5_000_00, 10_000_00, 50_000_00, 100_000_00, 1_000_000_00,
]

export const COLOURS: { readonly [cents: number]: readonly [body: string, edge: string] } = {
  1_00: ["#e9e5da", "#5b6b8a"],
  5_00: ["#c5303e", "#fbf3e4"],
  25_00: ["#1f7a4d", "#f5ead0"],
  100_00: ["#22272b", "#e7dfca"],
  500_00: ["#6a3fa0", "#f3e7c6"],
  1_000_00: ["#d98a16", "#3a2a10"],
  5_000_00: ["#1d5fae", "#f6efdc"],
  10_000_00: ["#9c1f56", "#f2d9a4"],
  50_000_00: ["#0e6f78", "#f6e7bd"],
  100_000_00: ["#463018", "#e9c46a"],
  1_000_000_00: ["#b08d2e", "#1d1606"],
}

/** The chips worth offering at a table: from just below its minimum, as many as fit a rack. */
export function rack(minimum: number, most: number, unit: number, places = 6): number[] {
  const payable = DENOMINATIONS.filter((one) => one % unit === 0)
  const below = payable.filter((one) => one <= minimum)
  const from = Math.max(0, below.length - 1)
  const fit = payable.slice(from, from + places)
  return fit.filter((one) => one <= Math.max(most, minimum) || one === fit[0])
}

/** The fewest chips that make an amount, the largest first; never more than a stack shows. */
export function stack(amount: number, most = 5): number[] {
  const found: number[] = []
  let left = amount
  for (const one of [...DENOMINATIONS].reverse()) {
    while (left >= one && found.length < most) {
      found.push(one)
      left -= one
    }
  }
  return found
}

/** The colour an amount is shown in: that of its largest chip. */
export function colour(amount: number): readonly [string, string] {
  const found = [...DENOMINATIONS].reverse().find((one) => one <= amount) ?? DENOMINATIONS[0]!
  return COLOURS[found]!
}
