/** What a change of the set-up changes: each field as the form calls it, and limits and times as they will be. */

import { show } from "../../lib/money"
import type { Setup } from "../../lib/wire"
import { t } from "./words"

const LIMITS = ["minimum", "differential", "maximum", "unit"] as const
const FIELDS = ["minimums", "layout", "boxes", "decks", "burn", "cut_card", "source", "face_down", "cards_only", "overlay"] as const
/** What a label says beyond the name of its field. */
const HINT = /\s*[:：(（].*$/

const keys = <Of extends object>(of: Of): (keyof Of & string)[] => Object.keys(of) as (keyof Of & string)[]

/** Without the set-up that it replaces, its limits. */
export function changes(after: Setup, before: Setup | null): string[] {
  const differs = <Of extends object>(one: Of, other: Of | undefined, key: keyof Of): boolean =>
    other !== undefined && JSON.stringify(one[key]) !== JSON.stringify(other[key])
  return [
    ...LIMITS.filter((key) => before === null || after[key] !== before[key]).map((key) =>
      `${name(t(key))} ${after[key] === null ? t("none") : show(after[key])}`),
    ...FIELDS.filter((key) => differs(after, before ?? undefined, key)).map((key) => name(t(key))),
    ...keys(after.timing).filter((key) => differs(after.timing, before?.timing, key)).map((key) =>
      `${t(`t_${key}`)} ${t("left", { seconds: after.timing[key] / 1000 })}`),
    ...keys(after.policy).filter((key) => differs(after.policy, before?.policy, key)).map((key) => t(`p_${key}`)),
  ]
}

const name = (label: string): string => label.replace(HINT, "")
