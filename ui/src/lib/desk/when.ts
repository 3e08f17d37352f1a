/** Moments as people write them. */

import { locale } from "../words/words.svelte"

/** `16 Nov 2026, 03:41:07`. */
export function moment(at: number): string {
  return new Date(at).toLocaleString(locale(), {
    day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit",
  })
}

/** `03:41:07`, with the day if it is another. */
export function time(at: number, now = Date.now()): string {
  const date = new Date(at)
  const clock = date.toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit", second: "2-digit" })
  if (date.toDateString() === new Date(now).toDateString()) return clock
  return `${date.toLocaleDateString(locale(), { day: "numeric", month: "short" })} ${clock}`
}

/** What an input of a day and time holds, as a moment; nothing while it is empty. */
export function entered(text: string): number | undefined {
  const at = text === "" ? NaN : new Date(text).getTime()
  return Number.isNaN(at) ? undefined : at
}
