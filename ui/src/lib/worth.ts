/** What bets are worth on cards in sight, as a screen shows it. */

export interface Gain {
  readonly bet: string
  readonly percent: string
  /** Whoever bets has the advantage. */
  readonly favours: boolean
  /** The cards have decided it: it is not offered. */
  readonly closed: boolean
}

/** The best bet first; the gain on a stake comes in millionths of it. */
export function gains(worth: { readonly [bet: string]: number }, closed: readonly string[] = []): readonly Gain[] {
  return Object.entries(worth)
    .sort(([, one], [, other]) => other - one)
    .map(([bet, gain]) => ({ bet, percent: percent(gain), favours: gain > 0 && !closed.includes(bet), closed: closed.includes(bet) }))
}

function percent(millionths: number): string {
  const sign = millionths > 0 ? "+" : millionths < 0 ? "−" : ""
  return `${sign}${(Math.abs(millionths) / 10_000).toFixed(2)} %`
}
