/** Odds as the game files write them: what a stake wins. */

/** The win on a stake at `2:1`, `0.95:1` or `1:2`, in cents; the stakes the house accepts pay whole cents. */
export function paid(odds: string, stake: number): number {
  const [wins = "0", on = "1"] = odds.split(":")
  return Math.round((stake * Number(wins)) / Number(on))
}
