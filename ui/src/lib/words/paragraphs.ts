/** Paragraphs as people cite them: by number, a defined term by its name, a regulation's citation as it is written. */

import { t } from "./common"
import { area } from "./words.svelte"

const NUMBERED = /^\d+(\.\d+)*(\.?[a-z])?$/
const DEFINED = /^\d+-(\w+)$/

const terms = area(
  {
    House: "House",
    Insurance: "Insurance",
    Natural: "Natural",
    NonCommission: "Non-Commission",
    Pair: "Pair",
    PlayerTerminal: "Player Terminal",
    SuperSix: "Super Six",
    TableOfPlay: "Table of Play",
    Tie: "Tie",
  },
  {
    House: "赌场",
    Insurance: "保险",
    Natural: "例牌",
    NonCommission: "免佣",
    Pair: "对子",
    PlayerTerminal: "玩家终端机",
    SuperSix: "超级六",
    TableOfPlay: "补牌规则表",
    Tie: "和局",
  },
)
type Term = Parameters<typeof terms>[0]

/** The sign and the number, or `Super Six`, or `reg. 12(3)`. */
export function paragraphMark(paragraph: string): string {
  return NUMBERED.test(paragraph) ? `§ ${paragraph}` : (defined(paragraph) ?? paragraph)
}

/** The word and the number, or `Definition: Super Six`, or `reg. 12(3)`. */
export function paragraphWords(paragraph: string): string {
  if (NUMBERED.test(paragraph)) return t("paragraph", { paragraph })
  const term = defined(paragraph)
  return term === undefined ? paragraph : t("definition", { term })
}

/** A term that a game of one's own defines is called as it is written: `WuSong` is `Wu Song`. */
function defined(paragraph: string): string | undefined {
  const term = DEFINED.exec(paragraph)?.[1]
  return term && ((terms(term as Term) as string | undefined) ?? term.replace(/(?<=[a-z])(?=[A-Z])/g, " "))
}
