/** Where something passing can be shown without covering a control or what the table is saying. */

export const PLACES = ["corner", "top", "said", "left", "middle", "low", "edge"] as const
type Place = (typeof PLACES)[number]

const CONTROLS = "button, a[href], input, select, textarea, summary, [role=button], [role=tab]"
/** Covered only where a control would be covered otherwise: the cards, the time that is left and the result. */
const NEWS = ".hand .card, .phase, [role=timer], .banner, .asks h2, .squeeze .pad"
const CONTROL = 10

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export const overlap = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/** The first place at which what `region` shows covers nothing that counts, or the one at which it covers the least. */
export function clearest(region: HTMLElement): Place {
  const before = region.dataset["place"]
  /** A card that is squeezed lies over the table. */
  const within = region.closest("dialog") ?? document.querySelector(".squeeze") ?? document.body
  const seen = (which: string): DOMRect[] =>
    [...within.querySelectorAll<HTMLElement>(which)]
      .filter((one) => !region.contains(one) && one.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .map((one) => one.getBoundingClientRect())
  const weighed = [...seen(CONTROLS).map((box) => ({ box, weight: CONTROL })), ...seen(NEWS).map((box) => ({ box, weight: 1 }))]
  const said = document.querySelector(".said")
  if (said) region.style.setProperty("--said", `${said.getBoundingClientRect().top}px`)
  let best: Place = PLACES[0]
  let least = Infinity
  for (const place of PLACES) {
    region.dataset["place"] = place
    const shown = [...region.children].map((one) => one.getBoundingClientRect())
    const outside = shown.some((one) => one.top < 0 || one.bottom > innerHeight)
    const covered = weighed.filter(({ box }) => shown.some((one) => overlap(one, box)))
    const sum = covered.reduce((all, { weight }) => all + weight, outside ? CONTROL : 0)
    if (sum < least) [best, least] = [place, sum]
    if (sum === 0) break
  }
  if (before !== undefined) region.dataset["place"] = before
  return best
}
