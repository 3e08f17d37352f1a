import { expect, test } from "vitest"

const texts = import.meta.glob<string>(["./**/*.ts", "./**/*.svelte", "!./**/*.test.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
})
const entries = Object.entries(texts)

test("no screen imports another, and what is shared imports none", () => {
  expect(entries.length).toBeGreaterThan(100)
  const crossing = entries.flatMap(([path, text]) => {
    const own = /^\.\/screens\/\w+\//.exec(path)?.[0]
    if (!own && !path.startsWith("./lib/")) return []
    const from = new URL(path, "file:///")
    return [...text.matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"']*)["']/g)]
      .map(([, to]) => `.${new URL(to!, from).pathname}`)
      .filter((to) => to.startsWith("./screens/") && !(own && to.startsWith(own)))
      .map((to) => `${path} imports ${to}`)
  })
  expect(crossing).toEqual([])
})

/** `"5.1"`, `'4.1.3'`, `§ 5.12.3`: a paragraph comes from the game file, by way of the house. */
const PARAGRAPH = /(["'`])[1-5]\.\d{1,2}(\.\d{1,2})?(\.[a-z])?\1|(§|[Pp]aragraph|第)\s*[1-5]\.\d/

test.each(['rule: "5.1"', "by('4.1.3')", "see § 5.12.3", 'x === "2.1.1.a"', "paragraph 3.9"])("%s is a paragraph", (text) =>
  expect(PARAGRAPH.test(text)).toBe(true),
)

test("no paragraph number stands in the screens", () => {
  const drawn = /(stroke-width|\b[xyr]|c[xy]|d[xy]|step)="[\d.]+"/g // measures of a drawing
  const found = entries.flatMap(([path, text]) =>
    text
      .split("\n")
      .filter((line) => PARAGRAPH.test(line.replaceAll(drawn, "")))
      .map((line) => `${path}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})
