/** What every console needs: sending a command once, what a table deals, and the words of its game. */

import { api, Refused } from "../../lib/api"
import { live } from "../../lib/live.svelte"
import { say } from "../../lib/notices.svelte"
import type { Answer, AnyCommand, GameCard, TableCard } from "../../lib/wire"
import { language, named } from "../../lib/words/words.svelte"
import { t } from "./words"

/** Whether something sent to that table is not answered yet. */
export function busy(table: string): boolean {
  return live.pending.some((one) => one.table === table)
}

/** Send it, once; a refusal is said with its paragraph. */
export async function send(table: string, command: AnyCommand, done?: string): Promise<Answer | null> {
  if (busy(table)) return null
  const answer = await live.do(table, command)
  if (answer.refusal) {
    say.refused(answer.refusal)
    return null
  }
  for (const line of answer.lines ?? []) say.refused(line.why)
  if (answer.waits != null) say.news(t("second"))
  else if (done !== undefined && !(answer.lines ?? []).length) say.done(done)
  return answer
}

// ---- games ---------------------------------------------------------------------------------------------------------

const games: { [key: string]: GameCard } = $state({})
const asked = new Set<string>()

/** The game as its file says it is, as soon as it is known here. */
export function game(key: string | undefined): GameCard | undefined {
  if (key !== undefined && !asked.has(key)) {
    asked.add(key)
    api("game", { path: { game: key } }).then(
      (card) => (games[key] = card),
      () => asked.delete(key),
    )
  }
  return key === undefined ? undefined : games[key]
}

/** A bet by its title; an insurance bet has its window after an @. */
export function betTitle(key: string | undefined, bet: string): string {
  const found = game(key)?.content.bet.find((one) => one.key === bet.split("@")[0])
  return found ? named(found.title) : bet
}

/** What a paragraph says, in the reader's language. */
export function paragraphText(key: string | undefined, paragraph: string): string {
  const found = game(key)?.paragraphs[paragraph]
  return found?.[language()] ?? found?.["en"] ?? ""
}

// ---- tables --------------------------------------------------------------------------------------------------------

export class Tables {
  cards: readonly TableCard[] = $state.raw([])
  known = $state(false)

  async look(): Promise<void> {
    try {
      this.cards = await api("tables")
      this.known = true
    } catch (error) {
      if (!(error instanceof Refused)) throw error
    }
  }

  of(table: string): TableCard | undefined {
    return this.cards.find((one) => one.table === table)
  }
}
