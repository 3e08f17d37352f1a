/** Where somebody lands who has just signed in: players in the lobby, everyone else at their own desk. */

import type { Me, Post } from "../../lib/wire"

const DESKS: { readonly [post in Post]?: readonly string[] } = {
  pit_supervisor: ["pit"],
  pit_manager: ["pit"],
  shift_manager: ["pit"],
  cashier: ["cashier"],
  auditor: ["disputes"],
  administrator: ["administration"],
  board: ["board"],
}

let landed = false

export function landing(me: Me | null): readonly string[] | null {
  if (landed || me === null) return null
  landed = true
  const post = me.roles["*"] ?? Object.values(me.roles)[0]
  return (post && DESKS[post]) ?? null
}
