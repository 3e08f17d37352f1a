/** What is said to the person in passing: refusals with their paragraph, and things that were done. */

import { Refused } from "./api"
import type { Refusal } from "./wire"
import { t } from "./words/common"

export interface Notice {
  readonly id: number
  readonly kind: "refused" | "done" | "news"
  readonly text: string
  readonly paragraph: string | null
  readonly reason: string
}

const LASTS = { refused: 9_000, done: 6_000, news: 8_000 }
const MOST = 4
const state = $state({ notices: [] as Notice[] })
let count = 0

/** How many dialogs lie on one another. */
export const dialogs = $state({ open: 0 })

export function notices(): readonly Notice[] {
  return state.notices
}

function tell(kind: Notice["kind"], text: string, paragraph: string | null = null, reason = ""): void {
  const notice = { id: ++count, kind, text, paragraph, reason }
  state.notices = [...state.notices.filter((one) => one.text !== text).slice(1 - MOST), notice]
  setTimeout(() => dismiss(notice.id), LASTS[kind])
}

export function dismiss(id: number): void {
  state.notices = state.notices.filter((one) => one.id !== id)
}

export const say = {
  refused(why: Refusal): void {
    tell("refused", why.sentence, why.paragraph ?? null, why.reason)
  },
  done(text: string): void {
    tell("done", text)
  },
  news(text: string, paragraph: string | null = null): void {
    tell("news", text, paragraph)
  },
  /** Whatever was thrown: a refusal is said as it is, anything else is ours. */
  failed(error: unknown): void {
    if (error instanceof Refused) this.refused(error.why)
    else {
      console.error(error)
      tell("refused", t("unreachable"))
    }
  },
}
