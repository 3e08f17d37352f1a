/** What everybody at a table is told of a card that was seen before time, or of the error they choose after. */
import { betTitle } from "./games.svelte"
import type { PublicView } from "./wire"
import { happened, t } from "./words/seen"
import { listed } from "./words/words.svelte"

const BETWEEN = ["closed", "idle", "paying", "settled", "voided", "without_bets", "decided"]

type Told = Pick<PublicView, "phase" | "waiting" | "options"> & Partial<Pick<PublicView, "game" | "not_offered">>

/** The faces in front of the shoe. */
export const facesOf = (view: Told): readonly string[] => view.waiting.filter((face) => face !== null)

/** What happened, where the card goes, and what silence means, last; nothing where nobody need be told. */
export function saidOfSeen(view: Told): readonly string[] {
  const faces = facesOf(view)
  const choosing = view.phase === "options" && view.options
  if (!faces.length && !choosing) return []
  const causes = (choosing ? (view.options?.faults ?? []) : []) as readonly Parameters<typeof happened>[0][]
  return [...causes.map((fault) => happened(fault)), ...(faces.length ? [t("seen", { cards: faces.join(" ") }), whereTo(view)] : []), ...notOffered(view), silence(view)]
}

/** The bets that what was seen has decided. */
function notOffered({ game, not_offered = [] }: Told): readonly string[] {
  return not_offered.length ? [t("not_offered", { bets: listed(not_offered.map((bet) => betTitle(game, bet))) })] : []
}

function whereTo({ phase }: Told): string {
  if (BETWEEN.includes(phase)) return t("begins_next")
  return phase === "betting" || phase === "closing" ? t("begins_this") : t("comes_next")
}

function silence({ phase }: Told): string {
  if (BETWEEN.includes(phase)) return t("silence_between")
  if (phase === "betting" || phase === "closing") return t("silence_betting")
  if (phase === "options") return t("silence_options")
  return phase === "decision" || phase === "suspended" ? t("silence_held") : t("silence_dealing")
}
