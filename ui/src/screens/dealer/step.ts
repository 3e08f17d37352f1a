/** The next step as the house gives it: what it is called now, and what it sends. */

import type { AnyCommand, Card, NextStep, StepCode } from "../../lib/wire"

/** Whether the step waits for its deadline. */
export function early(step: NextStep, now: number): boolean {
  return !!step.meanwhile && now < (step.deadline ?? 0)
}

export function codeAt(step: NextStep, now: number): StepCode {
  return step.meanwhile && early(step, now) ? step.meanwhile : step.code
}

/** The command with the card that was keyed in; nothing while one is wanted or somebody else is waited for. */
export function asSent({ command, wants_card }: NextStep, card: Card | null): AnyCommand | null {
  if (!command) return null
  if (wants_card) return card && ({ ...command, card } as AnyCommand)
  return command as AnyCommand
}
