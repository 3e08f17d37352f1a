/** The font of the Chinese texts for machines that have none: Noto Sans SC, cut to the characters that our texts use.
 *
 * `felt.woff2` has what readers of English see too: the signs of the felt, the titles of games, the language switch.
 * `han.woff2` has everything else. Each is fetched only where a character of its range is shown. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import subset from "subset-font"
import type { Plugin } from "vite"
import { traditional } from "./src/lib/words/traditional"

const WHOLE = "node_modules/@expo-google-fonts/noto-sans-sc"
const RULES = "../src/puntobanco/rules"
const MADE = "build/font"
const SIGNS = "閒庄莊和简繁"
const CHINESE = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]/g

export function font(): Plugin {
  return {
    name: "font",
    apply: "build",
    async config() {
      await cut()
      return { resolve: { alias: { "han.css": resolve(MADE, "han.css") } } }
    },
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "font-licence.txt", source: readFileSync(`${WHOLE}/LICENSE_FONT`, "utf8") })
    },
  }
}

/** Write the two fonts and their style sheet. */
async function cut(): Promise<void> {
  const titles = textOf(`${RULES}/games`).match(/\btitle = \{.*\}/g)!.join("")
  const felt = charactersOf(SIGNS + titles + traditional(titles))
  const all = charactersOf(["src", `${RULES}/sentences`, `${RULES}/games`, `${RULES}/paragraphs`].map(textOf).join(""))
  const han = all.filter((one) => !felt.includes(one))
  const whole = readFileSync(`${WHOLE}/400Regular/NotoSansSC_400Regular.ttf`)
  mkdirSync(MADE, { recursive: true })
  for (const [name, characters] of [["felt", felt], ["han", han]] as const) {
    writeFileSync(join(MADE, `${name}.woff2`), await subset(whole, characters.join(""), { targetFormat: "woff2" }))
  }
  const feltRange = felt.map((one) => `U+${code(one)}`)
  writeFileSync(join(MADE, "han.css"), face("felt", feltRange) + face("han", rest(felt)))
}

function textOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  return files.filter((one) => /\.(ts|svelte|toml)$/.test(one)).map((one) => readFileSync(join(folder, one), "utf8")).join("\n")
}

function charactersOf(text: string): string[] {
  return [...new Set(text.match(CHINESE))].sort()
}

const code = (character: string, after = 0): string => (character.codePointAt(0)! + after).toString(16)

/** All that is Chinese, but for these characters, so that they do not fetch the larger font. */
function rest(felt: readonly string[]): string[] {
  const bounds = ["\u2e7f", ...felt, "\ua000"]
  const between = bounds.slice(1).map((to, at) => [code(bounds[at]!, 1), code(to, -1)] as const)
  return [...between.filter(([from, to]) => parseInt(from, 16) <= parseInt(to, 16)).map(([from, to]) => `U+${from}-${to}`), "U+f900-faff", "U+ff00-ffef"]
}

function face(name: string, range: readonly string[]): string {
  return `@font-face { font-family: "puntobanco"; font-display: swap; src: url("./${name}.woff2") format("woff2"); unicode-range: ${range.join(", ")} }\n`
}
