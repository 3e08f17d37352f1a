/** English and Simplified Chinese, switchable at any time and remembered.
 *
 * Each part of the screens has its own words beside it: `export const t = area(en, zh)`, and `t("key", { name: ... })`
 * says it. What the house says (refusals, accounts) arrives in the reader's language already. */

export type Language = "en" | "zh"
export const LANGUAGES: readonly Language[] = ["en", "zh"]
export const NAMES: { readonly [language in Language]: string } = { en: "English", zh: "简体中文" }

type Parameters = { readonly [name: string]: string | number }
type Words<Key extends string> = { readonly [key in Key]: string }

const KEPT = "puntobanco.language"
const state = $state({ language: first() })

function first(): Language {
  const kept = typeof localStorage === "undefined" ? null : localStorage.getItem(KEPT)
  if (kept === "en" || kept === "zh") return kept
  const wanted = typeof navigator === "undefined" ? [] : navigator.languages
  for (const one of wanted) {
    if (one.startsWith("zh")) return "zh"
    if (one.startsWith("en")) return "en"
  }
  return "en"
}

export function language(): Language {
  return state.language
}

const listeners = new Set<() => void>()

export function onLanguage(listener: () => void): void {
  listeners.add(listener)
}

export function speak(language: Language): void {
  state.language = language
  localStorage.setItem(KEPT, language)
  document.documentElement.lang = language === "zh" ? "zh-Hans" : "en"
  for (const listener of listeners) listener()
}

/** Every area that was declared, for the test that compares the languages. */
export const areas: { en: Words<string>; zh: Words<string> }[] = []

export function area<Key extends string>(
  en: Words<Key>,
  zh: Words<Key>,
): (key: Key, parameters?: Parameters) => string {
  areas.push({ en, zh })
  return (key, parameters) => filled((state.language === "zh" ? zh : en)[key], parameters)
}

function filled(text: string, parameters?: Parameters): string {
  if (parameters === undefined) return text
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(parameters[name] ?? whole))
}

/** A name written in both languages, as game files have them. */
export function named(words: { readonly en?: string; readonly zh?: string }): string {
  return words[state.language] ?? words.en ?? ""
}
