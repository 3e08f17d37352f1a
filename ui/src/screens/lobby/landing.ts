/** Where somebody lands who has just signed in: players in the lobby, everyone else at their own desk. */

import type { Me, Post } from "../../lib/wire"

const DESKS: { readonly [post in Post]?: readonly string[] } = {
  dealer: ["dealer"],
  pit_supervisor: ["pit"],
  pit_manager: ["pit"],
  shift_manager: ["pit"],
  cashier: ["cashier"],
  auditor: ["disputes"],
  administrator: ["administration"],
  board: ["board"],
}

let landed = 0

/** Once for every time somebody comes in; who goes to the lobby later stays there. */
export function landing(me: Me | null, entry: number): readonly string[] | null {
  if (me === null || landed === entry) return null
  landed = entry
  const post = me.roles["*"] ?? Object.values(me.roles)[0]
  return (post && DESKS[post]) ?? null
}
