import { afterEach, expect, test, vi } from "vitest"
import type { Game } from "../wire"
import { betWords } from "./bets"
import { speak } from "./words.svelte"

vi.stubGlobal("localStorage", { setItem: () => {} })
vi.stubGlobal("document", { documentElement: {} })
afterEach(() => speak("en"))

const game = {
  bet: [{ key: "tie", title: { en: "Tie", zh: "和" } }, { key: "banker_insurance", title: { en: "Banker Insurance", zh: "庄保险" } }],
} as unknown as Game

test("insurance is called by its window, in the language of the reader", () => {
  const called = (): string[] => ["four", "five"].map((window) => betWords(game, `banker_insurance@${window}`))
  expect(called()).toEqual(["Banker Insurance (after four cards)", "Banker Insurance (after the Player's third card)"])
  speak("zh")
  expect(called()).toEqual(["庄保险（四张牌后）", "庄保险（闲家补牌后）"])
})

test("other bets by their title, and what no game knows by its key", () => {
  expect([betWords(game, "tie"), betWords(game, "dragon"), betWords(null, "tie")]).toEqual(["Tie", "dragon", "tie"])
})
