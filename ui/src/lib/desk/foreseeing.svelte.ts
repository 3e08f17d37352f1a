/** Thinking a report or a ruling through before it is sent: the house says what would come of it. */

import { api, Refused } from "../api"
import type { Foreseen, Report, Rule, Refusal } from "../wire"

const PAUSE = 200
/** When a question that was not answered is asked again. */
const AGAIN = 2_000

export class Foresight {
  found: Foreseen | null = $state.raw(null)
  refused: Refusal | null = $state.raw(null)
  looking = $state(false)
  /** The house did not answer. It is asked again, and nobody has to wait for it. */
  unavailable = $state(false)
  #timer: ReturnType<typeof setTimeout> | undefined
  #asked = 0
  /** What the answer is for, without the words of a reason: they change nothing that follows. */
  #matter = ""

  /** What follows was shown, or was said to be unavailable: it may be sent. */
  get shown(): boolean {
    return !this.looking && (this.found !== null || this.unavailable)
  }

  forget(): void {
    clearTimeout(this.#timer)
    this.#asked += 1
    this.found = this.refused = null
    this.looking = this.unavailable = false
  }

  /** Whoever writes a reason and presses Enter at once does not wait for the same answer again. */
  look(table: string, command: Report | Rule, version = 0): void {
    clearTimeout(this.#timer)
    const number = ++this.#asked
    const matter = JSON.stringify([table, version, { ...command, reason: "", note: "" }])
    this.looking = this.looking || this.found === null || this.#matter !== matter
    this.#matter = matter
    this.unavailable = false
    this.#timer = setTimeout(() => void this.#ask(number, table, command), PAUSE)
  }

  async #ask(number: number, table: string, command: Report | Rule): Promise<void> {
    let [found, refused]: [Foreseen | null, Refusal | null] = [null, null]
    try {
      found = await api("foresee", { path: { table }, body: { command } })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      refused = error.why
      if (error.unanswered && number === this.#asked) {
        this.found = this.refused = null
        this.unavailable = true
        this.looking = false
        this.#timer = setTimeout(() => void this.#ask(number, table, command), AGAIN)
        return
      }
    }
    if (number !== this.#asked) return
    this.found = found
    this.refused = refused
    this.looking = this.unavailable = false
  }
}
