import { expect, test } from "vitest"
import { areas } from "./words.svelte"

const texts = import.meta.glob<string>(["../../**/*.ts", "../../**/*.svelte", "!../../**/*.test.ts", "!../wire.ts"], {
  query: "?raw",
  import: "default",
})
const modules = import.meta.glob(["../../**/*.ts", "../../**/*.svelte", "!../../**/*.test.ts", "!../wire.ts", "!../../main.ts"])

test("every word is there in English and Chinese, with the same parameters", async () => {
  for (const [path, text] of Object.entries(texts)) {
    if (/= area(<[^>]*>)?\(/.test(await text())) await modules[path]?.()
  }
  expect(areas.length).toBeGreaterThan(8)
  const parameters = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort()
  for (const { en, zh } of areas) {
    expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort())
    for (const key of Object.keys(en)) {
      expect(en[key], key).not.toBe("")
      expect(zh[key], key).not.toBe("")
      expect(parameters(zh[key]!), key).toEqual(parameters(en[key]!))
    }
  }
}, 60_000)
