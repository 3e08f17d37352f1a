/** Something that is asked of the house once: the number it goes under stays the same until the house has answered, so
 * that a double click, or a second try after the line broke, happens once. */

import { Refused, request_id } from "../api"
import { say } from "../notices.svelte"
import type { Answer, Why } from "../wire"
import { t } from "../words/common"

export class Errand {
  pending = $state(false)
  why: Why | null = $state.raw(null)
  #request = request_id()

  /** What the house answered, or nothing if it did not take it; `why` then says the reason. */
  async send<Given = Answer>(ask: (request: string) => Promise<Given>): Promise<Given | null> {
    if (this.pending) return null
    this.pending = true
    this.why = null
    try {
      const given = await ask(this.#request)
      this.#request = request_id()
      return given
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.why = error.unanswered ? { ...error.why, sentence: t("unanswered") } : error.why
      if (!error.unanswered) this.#request = request_id()
      return null
    } finally {
      this.pending = false
    }
  }

  /** The same where there is no dialog to say the refusal in. */
  async aloud<Given = Answer>(ask: (request: string) => Promise<Given>): Promise<Given | null> {
    const given = await this.send(ask)
    if (this.why) say.refused(this.why)
    return given
  }
}
