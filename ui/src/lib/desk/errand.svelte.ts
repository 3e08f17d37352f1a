/** Something that is asked of the house once: the number it goes under stays until the house has answered, so that a
 * double click, or a second try after the line broke, happens once; also if it was changed before the second try. */

import { api, Refused, request_id } from "../api"
import { say } from "../notices.svelte"
import type { Answer, AnyAdministrativeCommand, Refusal } from "../wire"
import { t } from "../words/common"

/** An order to the office, or anything else that is asked under a number. */
export type Asked<Given> = AnyAdministrativeCommand | ((request: string) => Promise<Given>)

async function order<Given>(request: string, command: AnyAdministrativeCommand): Promise<Given> {
  return (await api("errand", { body: { request, command } })) as Given
}

export class Errand {
  pending = $state(false)
  why: Refusal | null = $state.raw(null)
  #request = request_id()
  #unanswered = false

  /** What the house answered, or nothing if it did not take it; `why` then says the reason. */
  async send<Given = Answer>(asked: Asked<Given>): Promise<Given | null> {
    if (this.pending) return null
    this.pending = true
    this.why = null
    try {
      const given = await (typeof asked === "function" ? asked(this.#request) : order<Given>(this.#request, asked))
      this.#anew()
      return given
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (error.unanswered) {
        this.why = { ...error.why, sentence: t("unanswered") }
        this.#unanswered = true
        return null
      }
      const changed = this.#unanswered && error.why.reason === "request_reused"
      this.why = changed ? { ...error.why, sentence: t("happened_before") } : error.why
      this.#anew()
      return null
    } finally {
      this.pending = false
    }
  }

  #anew(): void {
    this.#request = request_id()
    this.#unanswered = false
  }

  /** The same where there is no dialog to say the refusal in. */
  async aloud<Given = Answer>(asked: Asked<Given>): Promise<Given | null> {
    const given = await this.send(asked)
    if (this.why) say.refused(this.why)
    return given
  }
}
