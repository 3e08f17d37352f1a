import { afterEach, expect, test, vi } from "vitest"
import { inWords } from "../desk/numerals"
import { FELT, feltTag, feltWords, phaseWords, postWords } from "./common"
import { SIMPLIFIED, TRADITIONAL } from "./han"
import { traditional } from "./traditional"
import { areas, inLanguage, LANGUAGES, languageOf, named, NAMES, SIGNS, speak } from "./words.svelte"

const page = { documentElement: { lang: "" } }
vi.stubGlobal("localStorage", { setItem: () => {} })
vi.stubGlobal("document", page)
afterEach(() => speak("en"))

test("a browser's language is one of ours, traditional where it is written so", () => {
  const asked = ["en-GB", "zh", "zh-CN", "zh-SG", "zh-Hans-HK", "zh-TW", "zh-HK", "zh-MO", "zh-Hant", "zh-Hant-MO", "fr"]
  expect(asked.map(languageOf)).toEqual([
    "en", "zh", "zh", "zh", "zh", "zh-Hant", "zh-Hant", "zh-Hant", "zh-Hant", "zh-Hant", null,
  ])
})

test("the switch shows every language by a sign and says its name", () => {
  expect(LANGUAGES.map((one) => [SIGNS[one], NAMES[one]])).toEqual([["EN", "English"], ["简", "简体中文"], ["繁", "繁體中文"]])
})

test("words, titles and amounts are written in traditional characters", () => {
  speak("zh-Hant")
  expect(page.documentElement.lang).toBe("zh-Hant")
  expect([phaseWords("betting"), postWords("pit_manager")]).toEqual(["請下注", "區域經理"])
  expect(named({ en: "Banker Insurance", zh: "庄保险" })).toBe("莊保險")
  expect(inLanguage("zh", { en: "Banker Insurance", zh: "庄保险" })).toBe("庄保险")
  expect(named({ en: "Dragon" })).toBe("Dragon")
  expect(inWords(-12_300)).toBe("負壹佰貳拾叁元整")
})

test("a character is written as its word wants it", () => {
  expect(traditional("答复前停止下注，以台面为准")).toBe("答覆前停止下注，以枱面為準")
})

test("the signs of the felt are all traditional, and all simplified for those who read simplified Chinese", () => {
  const pair = { zh: "庄对", felt: "庄對" }
  for (const language of ["en", "zh-Hant"] as const) {
    speak(language)
    expect([...Object.values(FELT), feltWords(pair), feltTag()]).toEqual(["閒", "莊", "和", "莊對", "zh-Hant"])
  }
  speak("zh")
  expect([...Object.values(FELT), feltWords(pair), feltTag()]).toEqual(["闲", "庄", "和", "庄对", "zh-Hans"])
})

test("no word is left in simplified characters, and every parameter is kept", () => {
  expect(SIMPLIFIED.length).toBe(TRADITIONAL.length)
  const simplified = new Set(Array.from(SIMPLIFIED).filter((one) => !TRADITIONAL.includes(one)))
  for (const words of areas) {
    for (const text of Object.values(words.zh)) {
      const written = traditional(text)
      expect(Array.from(written).filter((one) => simplified.has(one) && !"台里后余只准布".includes(one)), written).toEqual([])
      expect(written.match(/\{\w+\}/g)).toEqual(text.match(/\{\w+\}/g))
    }
  }
})
