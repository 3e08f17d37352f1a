import { afterEach, expect, test, vi } from "vitest"
import { paragraphMark, paragraphWords } from "./paragraphs"
import { speak } from "./words.svelte"

vi.stubGlobal("localStorage", { setItem: () => {} })
vi.stubGlobal("document", { documentElement: {} })
afterEach(() => speak("en"))

const [numbered, lettered, term, own, regulation] = [[5, 1, 1].join("."), [2, 1, "a"].join("."), "1-SuperSix", "1-WuSong", "s 12"]

test("a paragraph is cited by its number, a defined term by its name, a regulation as it is written", () => {
  expect([numbered, lettered, term, own, regulation].map(paragraphMark)).toEqual(["§ 5.1.1", "§ 2.1.a", "Super Six", "Wu Song", "s 12"])
  expect([numbered, term, regulation].map(paragraphWords)).toEqual(["Paragraph 5.1.1", "Definition: Super Six", "s 12"])
  speak("zh")
  expect([numbered, term, own].map(paragraphWords)).toEqual(["第 5.1.1 条", "定义：超级六", "定义：Wu Song"])
})
