/** The house's clock, ticking for countdowns and for the clock on the wall. */

import { live } from "./live.svelte"
import { locale } from "./words/words.svelte"

const TICK = 250
const state = $state({ now: Date.now() })
if (typeof window !== "undefined") setInterval(() => (state.now = live.now()), TICK)

/** Now, by the house's clock, read again four times a second. */
export function now(): number {
  return state.now
}

/** `03:41`. */
export function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit" })
}

/** Whole seconds until a moment; nothing once it has passed. */
export function secondsUntil(deadline: number): number {
  return Math.max(0, Math.ceil((deadline - state.now) / 1000))
}
