/** Where something passing can be shown without covering a control. */

export const PLACES = ["corner", "top", "left", "middle", "low", "edge"] as const
type Place = (typeof PLACES)[number]

const CONTROLS = "button, a[href], input, select, textarea, summary, [role=button], [role=tab]"

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export const overlap = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/** The first place at which what `region` shows covers no control, or the one at which it covers the fewest. */
export function clearest(region: HTMLElement): Place {
  const before = region.dataset["place"]
  const within = region.closest("dialog") ?? document.body
  const controls = [...within.querySelectorAll<HTMLElement>(CONTROLS)]
    .filter((one) => !region.contains(one) && one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .map((one) => one.getBoundingClientRect())
  let best: Place = PLACES[0]
  let fewest = Infinity
  for (const place of PLACES) {
    region.dataset["place"] = place
    const shown = [...region.children].map((one) => one.getBoundingClientRect())
    const outside = shown.some((one) => one.top < 0 || one.bottom > innerHeight)
    const covered = shown.reduce((sum, one) => sum + controls.filter((other) => overlap(one, other)).length, outside ? 1 : 0)
    if (covered < fewest) [best, fewest] = [place, covered]
    if (covered === 0) break
  }
  if (before !== undefined) region.dataset["place"] = before
  return best
}
