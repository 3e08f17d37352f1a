import type { Phase } from "./wire"

/** No round goes on: the last has ended, in whatever way, and the next may open. */
export const BETWEEN_ROUNDS: ReadonlySet<Phase> = new Set<Phase>(["idle", "settled", "voided", "without_bets", "decided"])
