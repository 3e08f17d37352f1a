/** Every screen by the first part of its path, loaded when it is first asked for. */

import type { Component } from "svelte"
import type { Theme } from "./lib/theme.svelte"

/** What a screen is given: the rest of the path below its own name. */
export interface ScreenProps {
  path: readonly string[]
}

export interface Screen {
  readonly load: () => Promise<{ default: Component<ScreenProps> }>
  readonly theme: Theme
  /** The whole window is the screen's: no bar above it. */
  readonly bare?: boolean
}

export const screens: { readonly [name: string]: Screen } = {
  "": { load: () => import("./screens/lobby/Lobby.svelte"), theme: "felt" },
  table: { load: () => import("./screens/terminal/Terminal.svelte"), theme: "felt", bare: true },
  dealer: { load: () => import("./screens/dealer/Dealer.svelte"), theme: "felt" },
  pit: { load: () => import("./screens/pit/Pit.svelte"), theme: "desk" },
  board: { load: () => import("./screens/board/Board.svelte"), theme: "felt", bare: true },
  odds: { load: () => import("./screens/odds/Odds.svelte"), theme: "desk" },
  cashier: { load: () => import("./screens/cashier/Cashier.svelte"), theme: "desk" },
  administration: { load: () => import("./screens/administration/Administration.svelte"), theme: "desk" },
  disputes: { load: () => import("./screens/disputes/Disputes.svelte"), theme: "desk" },
}
