import { beforeAll, expect, test, vi } from "vitest"

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined })
vi.stubGlobal("document", { documentElement: {} })

let inWords: (cents: number) => string
let speak: (language: "en" | "zh") => void
beforeAll(async () => {
  ;({ inWords } = await import("./numerals"))
  ;({ speak } = await import("../words/words.svelte"))
})

test.each([
  [0, "zero"],
  [1_00, "one"],
  [21_50, "twenty-one and 50/100"],
  [110_00, "one hundred and ten"],
  [1_000_00, "one thousand"],
  [12_345_67, "twelve thousand three hundred and forty-five and 67/100"],
  [1_000_001_00, "one million one"],
  [-5_00, "minus five"],
])("%d cents are %s", (cents, words) => {
  speak("en")
  expect(inWords(cents)).toBe(words)
})

test.each([
  [0, "零元整"],
  [1_00, "壹元整"],
  [10_05, "壹拾元零伍分"],
  [1_050_00, "壹仟零伍拾元整"],
  [10_001_00, "壹万零壹元整"],
  [100_500_00, "壹拾万零伍佰元整"],
  [12_345_60, "壹万贰仟叁佰肆拾伍元陆角整"],
  [50, "伍角整"],
])("%d cents are %s", (cents, words) => {
  speak("zh")
  expect(inWords(cents)).toBe(words)
})
