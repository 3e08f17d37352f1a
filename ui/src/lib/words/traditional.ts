/** Traditional Chinese for what is written in simplified Chinese only: the words of the screens, titles, summaries. */

import { PHRASES, SIMPLIFIED, TRADITIONAL } from "./han"

const characters = new Map(Array.from(SIMPLIFIED, (one, at) => [one, TRADITIONAL[at]!]))
const parts = new RegExp(`${Object.keys(PHRASES).sort((a, b) => b.length - a.length).join("|")}|[\\u3400-\\u9fff]`, "g")
const made = new Map<string, string>()

/** Characters that none of our own texts contains stay as they are. */
export function traditional(text: string): string {
  const before = made.get(text)
  if (before !== undefined) return before
  const after = text.replace(parts, (part) => PHRASES[part] ?? characters.get(part) ?? part)
  if (made.size < 5_000) made.set(text, after)
  return after
}
