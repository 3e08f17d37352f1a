/** A colour between red (against the player) and blue (for), faint enough to read figures on. */
export function heat(share: number): string {
  const size = Math.round(Math.min(1, Math.abs(share)) * 45)
  return `color-mix(in srgb, ${share < 0 ? "var(--banker)" : "var(--player)"} ${size}%, var(--raised))`
}
