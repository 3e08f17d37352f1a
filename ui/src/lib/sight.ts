/** The chosen one of a row that is wider than the screen is in sight: `use:inSight={chosen}`. */
export function inSight(row: HTMLElement, _chosen: unknown): { update(): void; destroy(): void } {
  const update = (): void => {
    requestAnimationFrame(() => {
      const found = row.querySelector<HTMLElement>('[aria-current="page"]')
      if (found) row.scrollLeft = found.offsetLeft - row.offsetLeft - (row.clientWidth - found.offsetWidth) / 2
    })
  }
  const resized = new ResizeObserver(update) // at first, and when the screen is turned
  resized.observe(row)
  return { update, destroy: () => resized.disconnect() }
}
