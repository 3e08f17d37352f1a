/** Money is whole cents everywhere; only here does it become text, and text money. */

/** `1,250` or `1,250.50`: cents only where there are any. */
export function show(cents: number): string {
  const sign = cents < 0 ? "−" : ""
  const size = Math.abs(cents)
  const whole = String(Math.trunc(size / 100)).replace(/\B(?=(\d{3})+$)/g, ",")
  return size % 100 === 0 ? sign + whole : `${sign}${whole}.${String(size % 100).padStart(2, "0")}`
}

/** `+1,250`, `−50`, `0`. */
export function signed(cents: number): string {
  return cents > 0 ? `+${show(cents)}` : show(cents)
}

/** `5`, `500`, `5K`, `1M`: what is printed on a chip. */
export function short(cents: number): string {
  const whole = cents / 100
  if (whole >= 1_000_000 && whole % 100_000 === 0) return `${whole / 1_000_000}M`
  if (whole >= 1_000 && whole % 100 === 0) return `${whole / 1_000}K`
  return String(whole)
}

/** What a person typed, as cents; nothing if it is no amount. */
export function read(text: string): number | null {
  const found = /^(\d{1,3}(?:,\d{3})+|\d{1,13})(?:\.(\d{1,2}))?$/.exec(text.trim())
  if (found === null) return null
  return Number(found[1]!.replaceAll(",", "")) * 100 + Number((found[2] ?? "").padEnd(2, "0"))
}
