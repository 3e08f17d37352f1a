/** How people are called: by their title. Records and commands hold the name they sign in with. */

import { SvelteMap } from "svelte/reactivity"
import { api } from "./api"
import { guestName, isGuest } from "./guests"
import { session } from "./session.svelte"
import { t } from "./words/common"

/** Who acts where nobody does: a name that nobody signs in with. */
const HOUSE = "house"
const AT_ONCE = 100
const AGAIN = 5_000

const titles = new SvelteMap<string, string>()
const asked = new Set<string>()
const wanted: string[] = []

/** For a screen: asks the house for a title that is not known yet, and shows it as soon as it is there. */
export function called(person: string): string {
  if (person === "" || isGuest(person)) return guestName(person)
  if (person === HOUSE) return t("itself")
  if (person === session.me?.person) return session.me.title
  const title = titles.get(person)
  if (title === undefined) want(person)
  return title ?? "…"
}

/** For a message that is written once. */
export async function titleOf(person: string): Promise<string> {
  if (!titles.has(person) && !isGuest(person)) await look([person])
  return called(person)
}

/** Titles of the same moment are asked for together. */
function want(person: string): void {
  if (asked.has(person)) return
  asked.add(person)
  if (wanted.push(person) === 1) setTimeout(lookUp)
}

function lookUp(): void {
  while (wanted.length) void look(wanted.splice(0, AT_ONCE))
}

async function look(people: readonly string[]): Promise<void> {
  try {
    const found = await api("titles", { query: { people: people.join(",") } })
    for (const person of people) titles.set(person, found.titles[person] ?? person)
  } catch {
    // the name until the house answers again
    for (const person of people) titles.set(person, person)
    setTimeout(() => void look(people), AGAIN)
  }
}
