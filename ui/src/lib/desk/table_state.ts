/** What state a table is in, at a glance: a word and a shape for each, so that no colour is needed to tell them apart. */

import type { Phase } from "../wire"
import { area } from "../words/words.svelte"

export const STATES = ["betting", "dealing", "between", "decision", "suspended", "stopped", "closing", "closed"] as const
export type TableState = (typeof STATES)[number]

const OF: { readonly [phase in Phase]: TableState } = {
  closed: "closed",
  idle: "between",
  betting: "betting",
  closing: "betting",
  dealing: "dealing",
  insurance: "dealing",
  result: "dealing",
  paying: "dealing",
  settled: "between",
  voided: "between",
  without_bets: "between",
  decided: "between",
  suspended: "suspended",
  decision: "decision",
  options: "decision",
}

/** What stops a table comes first; then notice of closing, which players have been given. */
export function stateOf(phase: Phase, { stopped = false, notice = false } = {}): TableState {
  if (stopped) return "stopped"
  const found = OF[phase]
  return notice && found !== "closed" && found !== "decision" && found !== "suspended" ? "closing" : found
}

/** Drawn in a square of 24, filled by the rule of even and odd. */
export const SHAPES: { readonly [state in TableState]: string } = {
  betting: "M12 2A10 10 0 1 1 12 22A10 10 0 1 1 12 2Z",
  dealing: "M4 2L22 12L4 22Z",
  between: "M12 2A10 10 0 1 1 12 22A10 10 0 1 1 12 2ZM12 6.5A5.5 5.5 0 1 0 12 17.5A5.5 5.5 0 1 0 12 6.5Z",
  decision: "M12 1L23 12L12 23L1 12ZM10.5 6.5H13.5V13H10.5ZM10.5 15H13.5V18H10.5Z",
  suspended: "M4 3H10V21H4ZM14 3H20V21H14Z",
  stopped: "M5 1.5L12 8.5L19 1.5L22.5 5L15.5 12L22.5 19L19 22.5L12 15.5L5 22.5L1.5 19L8.5 12L1.5 5Z",
  closing: "M3 2H21V5L14 12L21 19V22H3V19L10 12L3 5Z",
  closed: "M3 3H21V21H3ZM7 7V17H17V7Z",
}

export const stateWords = area<TableState>(
  {
    betting: "Betting",
    dealing: "Dealing",
    between: "Between rounds",
    decision: "Decision waits",
    suspended: "Suspended",
    stopped: "Stopped",
    closing: "Closing soon",
    closed: "Closed",
  },
  {
    betting: "下注中",
    dealing: "发牌中",
    between: "两局之间",
    decision: "等待裁定",
    suspended: "暂停",
    stopped: "已停止",
    closing: "即将关台",
    closed: "已关台",
  },
)
