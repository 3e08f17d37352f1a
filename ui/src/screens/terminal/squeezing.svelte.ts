/** What a player asks for without being asked each time, and what became of it: no request is left without a word. */

import { untrack } from "svelte"
import { live } from "../../lib/live.svelte"
import { say } from "../../lib/notices.svelte"
import type { Side } from "../../lib/wire"
import type { Player } from "./player.svelte"
import { sideWords } from "../../lib/words/common"
import { t } from "./words"

const KEPT = "puntobanco.squeeze"
/** Milliseconds after which a right that comes with the close of betting would have come. */
const KNOWN = 600

function kept(): Side[] {
  const found = localStorage.getItem(KEPT) ?? ""
  return (["player", "banker"] as const).filter((side) => found.includes(side))
}

const wish = $state({ sides: kept() })

/** The hands whose cards the player would squeeze. */
export function wanted(): readonly Side[] {
  return wish.sides
}

export function want(side: Side): void {
  wish.sides = wish.sides.includes(side) ? wish.sides.filter((one) => one !== side) : [...wish.sides, side]
  localStorage.setItem(KEPT, wish.sides.join(" "))
}

/** A card as people at the table call it: two hands are dealt in turn, so the third card of a round is the second of its hand. */
export const cardWords = (side: Side, index: number): string =>
  t("squeeze_which", { side: sideWords(side), place: t(`squeeze_place_${index > 4 ? 3 : index > 2 ? 2 : 1}`) })

/** Whether cards are squeezed at this table at all. */
export const squeezed = (player: Player): boolean => !!player.public?.face_down && !!player.game?.squeeze

/** Asks for every card of the hands that are wanted, once, and says why something was not granted or has ended. */
export function asking(player: Player): void {
  const round = $derived(player.public?.round ?? 0)
  const dealing = $derived(player.public?.phase === "dealing")
  const asks = $derived(player.private?.squeeze_asked ?? [])
  const holds = $derived(player.private?.squeezing ?? [])

  let sent = { round: 0, cards: [] as number[] }
  $effect(() => {
    if (!player.allowed.has("RequestSqueeze")) return
    if (sent.round !== round) sent = { round, cards: [] }
    for (const [card, side] of Object.entries(player.public?.squeezable ?? {})) {
      const index = Number(card)
      if (side === null || !wish.sides.includes(side) || sent.cards.includes(index)) continue
      sent.cards.push(index)
      void request(index)
    }
  })
  /** Refused because another screen of the same player has asked, the card is theirs all the same. */
  async function request(index: number): Promise<void> {
    const { refusal } = await live.do(player.table, { type: "RequestSqueeze", round, index })
    if (refusal) setTimeout(() => {
      if (!asks.includes(index) && !holds.includes(index)) say.refused(refusal)
    }, KNOWN)
  }

  $effect(() => {
    if (!dealing || wish.sides.length === 0 || !squeezed(player)) return
    const timer = setTimeout(() => {
      const own = player.private
      if (!own?.stakes.length || own.may_squeeze || own.squeeze_asked.length || own.squeezing.length) return
      say.news(t(player.game?.squeeze?.right === "highest_seated" ? "squeeze_not_seated" : "squeeze_not_highest"))
    }, KNOWN)
    return () => clearTimeout(timer)
  })

  /** As it was when this was last looked at. */
  let before = { round: 0, asks: [] as readonly number[], holds: [] as readonly number[], until: 0 }
  $effect(() => {
    const current = { round, asks, holds, until: player.private?.squeeze_until ?? 0 }
    untrack(() => {
      if (before.round === round) tell(current)
      before = current
    })
  })
  function tell(current: { asks: readonly number[]; holds: readonly number[] }): void {
    const lies = (index: number): boolean => !!player.public?.cards.some((one) => one.index === index)
    const named = (index: number): string => {
      const side = player.public?.cards.find((one) => one.index === index)?.side
      return side ? cardWords(side, index) : ""
    }
    for (const index of before.asks.filter((one) => dealing && !current.asks.includes(one) && !current.holds.includes(one))) {
      say.news(lies(index) ? t("squeeze_lapsed", { card: named(index) }) : t("squeeze_refused", { index }))
    }
    for (const index of before.holds.filter((one) => !current.holds.includes(one) && lies(one) && !player.peeled.has(`${round}/${one}`))) {
      say.news(t(before.until && live.now() >= before.until ? "squeeze_over" : "squeeze_ended", { card: named(index) }))
    }
  }
}
