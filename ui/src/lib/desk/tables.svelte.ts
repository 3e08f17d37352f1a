/** What every console needs: sending a command once, and the tables of the house. */

import { api, Refused, request_id } from "../api"
import { live } from "../live.svelte"
import { say } from "../notices.svelte"
import type { Answer, AnyCommand, GuestProof, TableCard } from "../wire"
import { t } from "./table_words"

/** Whether something sent to that table is not answered yet. */
export function busy(table: string): boolean {
  return live.pending.some((one) => one.table === table)
}

/** Send it, once; a refusal is said with its paragraph. */
export async function send(table: string, command: AnyCommand, done?: string, proof?: GuestProof): Promise<Answer | null> {
  if (busy(table)) return null
  const answer = await live.do(table, command, request_id(), proof)
  if (answer.refusal) {
    say.refused(answer.refusal)
    return null
  }
  for (const line of answer.lines ?? []) say.refused(line.why)
  if (answer.waits != null) say.news(t(command.type === "BuyIn" ? "guest_waits" : "second"))
  else if (done !== undefined && !(answer.lines ?? []).length) say.done(done)
  return answer
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
