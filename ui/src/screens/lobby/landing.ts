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

let landed = ""

export function landing(me: Me | null): readonly string[] | null {
  if (me === null || landed === me.person) return null
  landed = me.person
  const post = me.roles["*"] ?? Object.values(me.roles)[0]
  return (post && DESKS[post]) ?? null
}
