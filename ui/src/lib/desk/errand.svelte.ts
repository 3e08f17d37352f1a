/** Something that is asked of the house once: as long as the same is asked, the number it goes under stays until the house
 * has answered, so that a double click, or a second try after the line broke, happens once. */

import { api, Refused, request_id } from "../api"
import { say } from "../notices.svelte"
import type { Answer, AnyOfficeCommand, Why } from "../wire"
import { t } from "../words/common"

/** An order to the office, or anything else that is asked under a number. */
export type Asked<Given> = AnyOfficeCommand | ((request: string) => Promise<Given>)

export class Errand {
  pending = $state(false)
  why: Why | null = $state.raw(null)
  #unanswered: { readonly words: string; readonly request: string } | null = null

  /** What the house answered, or nothing if it did not take it; `why` then says the reason. */
  async send<Given = Answer>(asked: Asked<Given>): Promise<Given | null> {
    if (this.pending) return null
    this.pending = true
    this.why = null
    const words = typeof asked === "function" ? "" : JSON.stringify(asked)
    const request = this.#unanswered?.words === words ? this.#unanswered.request : request_id()
    this.#unanswered = null
    try {
      if (typeof asked === "function") return await asked(request)
      return (await api("errand", { body: { request, command: asked } })) as Given
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.why = error.unanswered ? { ...error.why, sentence: t("unanswered") } : error.why
      if (error.unanswered) this.#unanswered = { words, request }
      return null
    } finally {
      this.pending = false
    }
  }

  /** The same where there is no dialog to say the refusal in. */
  async aloud<Given = Answer>(asked: Asked<Given>): Promise<Given | null> {
    const given = await this.send(asked)
    if (this.why) say.refused(this.why)
    return given
  }
}
