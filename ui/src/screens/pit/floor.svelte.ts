/** The floor as the pit sees it: every table watched live, its takings and the alerts looked up now and then. */

import { api, Refused } from "../../lib/api"
import { live, type Watched } from "../../lib/live.svelte"
import { session } from "../../lib/session.svelte"
import type { AlertCard, Health, Post, TableTakings } from "../../lib/wire"
import { Tables } from "../../lib/desk/tables.svelte"

const LOOK = 10_000
const HEALTH: readonly (Post | null)[] = ["pit_manager", "shift_manager"]

export class Floor {
  readonly tables = new Tables()
  watched: { readonly [table: string]: Watched } = $state.raw({})
  takings: { readonly [table: string]: TableTakings } = $state.raw({})
  alerts: readonly AlertCard[] = $state.raw([])
  /** How often the floor was looked at. */
  looked = $state(0)
  health: Health | null = $state.raw(null)
  #leaves = new Map<string, () => void>()
  #timer: ReturnType<typeof setInterval> | undefined
  #looking = false

  open(): () => void {
    void this.look()
    this.#timer = setInterval(() => document.visibilityState === "visible" && void this.look(), LOOK)
    return () => {
      clearInterval(this.#timer)
      for (const leave of this.#leaves.values()) leave()
      this.#leaves.clear()
    }
  }

  async look(): Promise<void> {
    if (this.#looking) return
    this.#looking = true
    this.looked += 1
    try {
      await this.tables.look()
      this.#watch()
      await this.lookForAlerts()
      for (const one of this.tables.cards) if (!one.stopped) await this.lookAtTakings(one.table)
      if (HEALTH.includes(session.post())) this.health = await quietly(api("health"))
    } finally {
      this.#looking = false
    }
  }

  async lookForAlerts(): Promise<void> {
    this.alerts = (await quietly(api("alerts"))) ?? this.alerts
  }

  async lookAtTakings(table: string): Promise<void> {
    const found = await quietly(api("takings", { path: { table } }))
    if (found) this.takings = { ...this.takings, [table]: found }
  }

  #watch(): void {
    const found: { [table: string]: Watched } = { ...this.watched }
    for (const { table } of this.tables.cards) {
      if (this.#leaves.has(table)) continue
      const { watched, leave } = live.watch(table)
      this.#leaves.set(table, leave)
      found[table] = watched
    }
    this.watched = found
  }
}

async function quietly<Found>(asked: Promise<Found>): Promise<Found | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Refused) return null
    throw error
  }
}
