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
  /** What `found` answers, without the words of a reason: they change nothing that follows. */
  #answered = ""

  /** What follows was shown, or was said to be unavailable: it may be sent. */
  get shown(): boolean {
    return !this.looking && (this.found !== null || this.unavailable)
  }

  forget(): void {
    clearTimeout(this.#timer)
    this.#asked += 1
    this.found = this.refused = null
    this.#answered = ""
    this.looking = this.unavailable = false
  }

  /** Whoever writes a reason and presses Enter at once does not wait for the same answer again. */
  look(table: string, command: Report | Rule, version = 0): void {
    clearTimeout(this.#timer)
    const number = ++this.#asked
    const matter = JSON.stringify([table, version, { ...command, reason: "", note: "" }])
    this.looking = this.#answered !== matter // nothing reactive is read: an effect looks, and would look for ever
    this.unavailable = false
    this.#timer = setTimeout(() => void this.#ask(number, table, command, matter), PAUSE)
  }

  async #ask(number: number, table: string, command: Report | Rule, matter: string): Promise<void> {
    let [found, refused]: [Foreseen | null, Refusal | null] = [null, null]
    try {
      found = await api("foresee", { path: { table }, body: { command } })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      refused = error.why
      if (error.unanswered && number === this.#asked) {
        this.found = this.refused = null
        this.#answered = ""
        this.unavailable = true
        this.looking = false
        this.#timer = setTimeout(() => void this.#ask(number, table, command, matter), AGAIN)
        return
      }
    }
    if (number !== this.#asked) return
    this.found = found
    this.#answered = found ? matter : ""
    this.refused = refused
    this.looking = this.unavailable = false
  }
}
