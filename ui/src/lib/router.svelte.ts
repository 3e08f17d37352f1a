/** Paths below `/u/N/`: N is which of the browser's identities this tab is. */

const found = typeof location === "undefined" ? null : /^\/u\/(\d{1,2})(?:\/|$)/.exec(location.pathname)
export const slot = Number(found?.[1] ?? 0)
const base = `/u/${slot}/`

const state = $state({ parts: parts() })

function parts(): string[] {
  if (typeof location === "undefined") return []
  const rest = location.pathname.slice(base.length)
  return rest.split("/").filter(Boolean).map(decodeURIComponent)
}

/** The path below `/u/N/`, part by part: `["table", "wu-song-1"]`. */
export function route(): readonly string[] {
  return state.parts
}

export function href(...path: string[]): string {
  return base + path.map(encodeURIComponent).join("/")
}

export function go(path: readonly string[], options: { replace?: boolean } = {}): void {
  history[options.replace ? "replaceState" : "pushState"](null, "", href(...path))
  state.parts = parts()
  scrollTo(0, 0)
}

/** Links to our own screens are followed here, so that the live connection goes on. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const link = (event.target as Element | null)?.closest?.("a[href]")
  if (!(link instanceof HTMLAnchorElement) || link.target !== "" || link.hasAttribute("download")) return
  const url = new URL(link.href)
  if (url.origin !== location.origin || !url.pathname.startsWith(base) || url.pathname.startsWith(`${base}api/`)) return
  event.preventDefault()
  history.pushState(null, "", url.pathname + url.search)
  state.parts = parts()
  scrollTo(0, 0)
}

export function listen(): void {
  addEventListener("popstate", () => (state.parts = parts()))
  document.addEventListener("click", follow)
}
