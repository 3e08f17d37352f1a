/** Who sits at this tab. */

import { api, Refused } from "./api"
import { live } from "./live.svelte"
import { go } from "./router.svelte"
import type { Me, Post } from "./wire"

class Session {
  me: Me | null = $state.raw(null)
  /** Whether it is known yet if somebody is signed in. */
  known = $state(false)
  /** How often somebody came in at this tab. */
  entries = 0

  /** Ask the house; a link with a ticket signs in, and its secret is out of the address bar before anything else. */
  async begin(): Promise<void> {
    const ticket = /^#ticket=(.+)$/.exec(location.hash)?.[1]
    if (ticket !== undefined) {
      history.replaceState(null, "", location.pathname + location.search)
      try {
        const entered = await api("use_ticket", { body: { ticket: decodeURIComponent(ticket) } })
        if (entered.me) return this.entered(entered.me)
      } catch {
        // a used link: whoever is signed in here already goes on
      }
    }
    await this.look()
  }

  async look(): Promise<void> {
    try {
      this.entered(await api("me"))
    } catch (error) {
      if (!(error instanceof Refused) || error.reason !== "session_over") throw error
      this.over()
    } finally {
      this.known = true
    }
  }

  entered(me: Me): void {
    this.entries += 1
    this.me = me
    this.known = true
    live.onover = (code) => void this.#ended(code)
    live.connect()
  }

  /** The line broke. It may be the network, or the session may be over: only the house knows. */
  async #ended(code: number): Promise<void> {
    if (code === 4401) return this.over()
    try {
      this.me = await api("me")
    } catch (error) {
      if (error instanceof Refused && error.reason === "session_over") this.over()
    }
  }

  over(): void {
    this.me = null
    this.known = true
    live.disconnect()
  }

  /** Whoever signs in next begins at their own desk. */
  async signOut(): Promise<void> {
    try {
      await api("sign_out")
    } catch (error) {
      if (!(error instanceof Refused) || error.reason !== "session_over") throw error
    }
    this.over()
    go([], { replace: true })
  }

  /** What the person is at that table, or in the house. */
  post(table = "*"): Post | null {
    return this.me?.roles[table] ?? this.me?.roles["*"] ?? null
  }

  get posts(): ReadonlySet<Post> {
    return new Set(Object.values(this.me?.roles ?? {}))
  }
}

export const session = new Session()
