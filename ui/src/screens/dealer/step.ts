/** The one next step, read off the view: what is allowed, the phase, who is due, the open window, the question. */

import { BETWEEN_ROUNDS } from "../../lib/phases"
import type { AnyCommand, Card, PublicView, SqueezeInProgress } from "../../lib/wire"

export type StepKind =
  | "open"
  | "open_seen"
  | "permit"
  | "announce"
  | "close"
  | "reject"
  | "draw"
  | "draw_down"
  | "draw_waiting"
  | "expose"
  | "squeezing"
  | "answer_squeeze"
  | "answer_waiver"
  | "insurance"
  | "settle"
  | "confirm"
  | "load"
  | "options_close"
  | "wait_options"
  | "wait_decision"
  | "wait_closed"
  | "wait_itself"
  | "wait_permit"
  | "wait_terminal"
  | "wait_closing"
  | "wait_pit"

export interface Step {
  readonly kind: StepKind
  /** What to send; nothing while a card is wanted or somebody else is waited for. */
  readonly command: AnyCommand | null
  /** A card has to be keyed in first. */
  readonly wantsCard: boolean
  readonly deadline: number
  readonly index: number
  readonly box: number
  readonly person: string
}

const NOTHING: Omit<Step, "kind"> = { command: null, wantsCard: false, deadline: 0, index: 0, box: 0, person: "" }

export function nextStep(view: PublicView, automatic: boolean, card: Card | null, now: number): Step {
  const may = new Set(view.allowed ?? [])
  const round = view.round
  const step = (kind: StepKind, more: Partial<Step> = {}): Step => ({ ...NOTHING, ...more, kind })
  const drawn = view.cards.length
  const [squeezed, squeeze] = asksToSqueeze(view)

  if (view.phase === "closed") return step("wait_closed")
  if (view.question) return step("wait_decision")
  if (view.phase === "options" && view.options) {
    const ready = (view.undecided ?? []).every((one) => view.absent?.includes(one)) || now >= view.options.deadline
    if (!ready || !may.has("CloseOptions")) return step("wait_options", { deadline: view.options.deadline })
    return step("options_close", { command: { type: "CloseOptions", question: view.options.question } })
  }
  if (squeeze && may.has("AnswerSqueeze")) return step("answer_squeeze", { index: squeezed, person: squeeze.person })
  if (view.waiver_asked && may.has("AnswerWaiver")) return step("answer_waiver", { person: view.waiver_asked })
  if (may.has("PermitOpening") && (automatic || !may.has("OpenBetting"))) return step("permit", { command: { type: "PermitOpening" } })
  if (automatic) return step("wait_itself")
  if (view.window && may.has("CloseInsurance")) {
    const command: AnyCommand = { type: "CloseInsurance", round, window: view.window.window }
    return step("insurance", { command, deadline: view.window.deadline })
  }
  if (may.has("DrawCard") && view.due) {
    const index = drawn + 1
    const waiting = view.waiting.length > 0 && view.waiting[0] !== null
    if (waiting) return step("draw_waiting", { index, command: { type: "DrawCard", round, index } })
    if (view.face_down) return step("draw_down", { index, command: { type: "DrawCard", round, index } })
    return step("draw", { index, wantsCard: true, command: card && { type: "DrawCard", round, index, card } })
  }
  if (may.has("ExposeCard")) {
    // both third cards lie face down only where the Banker's is to be seen first
    const last = view.cards[5]
    const hidden = last?.face === null ? last : view.cards.find((one) => one.face === null)!
    const held = view.squeezes?.[String(hidden.index)]
    if (held?.permitted && now < held.deadline) {
      return step("squeezing", { index: hidden.index, person: held.person, deadline: held.deadline })
    }
    const command: AnyCommand | null = card && { type: "ExposeCard", round, index: hidden.index, card }
    return step("expose", { index: hidden.index, wantsCard: true, command })
  }
  if (may.has("Settle")) return step("settle", { command: { type: "Settle", round } })
  const unpaid = view.unpaid?.[0]
  if (may.has("ConfirmBox") && unpaid !== undefined) {
    return step("confirm", { box: unpaid, command: { type: "ConfirmBox", round, box: unpaid } })
  }
  if (may.has("OpenBetting")) {
    const seen = view.waiting.some((one) => one !== null)
    const command: AnyCommand = seen ? { type: "OpenBetting", acknowledge: true } : { type: "OpenBetting" }
    return step(seen ? "open_seen" : "open", { command })
  }
  const over = view.boxes.find((one) => one.over_differential)
  if (over && may.has("RejectExcess")) {
    const command: AnyCommand = { type: "RejectExcess", round, box: over.box }
    return step("reject", { command, box: over.box, deadline: view.deadline })
  }
  if (may.has("AnnounceClose")) {
    return step("announce", { command: { type: "AnnounceClose", round }, deadline: view.deadline })
  }
  if (may.has("CloseBetting")) {
    if (view.phase === "closing" && now < view.deadline) return step("wait_closing", { deadline: view.deadline })
    return step("close", { command: { type: "CloseBetting", round }, deadline: view.deadline })
  }
  if (BETWEEN_ROUNDS.has(view.phase) && view.waiting.filter((one) => one !== null).length > 1) return step("wait_permit")
  if (may.has("LoadShoe")) return step("load")
  return step(may.has("Report") && !may.has("DrawCard") && view.phase === "betting" ? "wait_terminal" : "wait_pit")
}

/** The first request to squeeze that nobody has answered. */
export function asksToSqueeze(view: PublicView): [number, SqueezeInProgress | null] {
  for (const [index, one] of Object.entries(view.squeezes ?? {})) if (!one.permitted) return [Number(index), one]
  return [0, null]
}
