/** English, simplified and traditional Chinese, switchable at any time and remembered.
 *
 * Each part of the screens has its own words beside it: `export const t = area(en, zh)`, and `t("key", { name: ... })`
 * says it; traditional Chinese is derived from simplified. What the house says (refusals, accounts) arrives in the
 * reader's language already. */

import { traditional } from "./traditional"

export type Language = "en" | "zh" | "zh-Hant"
export const LANGUAGES: readonly Language[] = ["en", "zh", "zh-Hant"]
export const NAMES: { readonly [language in Language]: string } = { en: "English", zh: "简体中文", "zh-Hant": "繁體中文" }
/** What the switch shows. */
export const SIGNS: { readonly [language in Language]: string } = { en: "EN", zh: "简", "zh-Hant": "繁" }
/** The language of a text, as a page declares it. */
export const TAGS: { readonly [language in Language]: string } = { en: "en", zh: "zh-Hans", "zh-Hant": "zh-Hant" }

type Parameters = { readonly [name: string]: string | number }
type Name = { readonly en?: string; readonly zh?: string }
type Words<Key extends string> = { readonly [key in Key]: string }

const KEPT = "puntobanco.language"
const state = $state({ language: first() })

function first(): Language {
  const kept = typeof localStorage === "undefined" ? null : localStorage.getItem(KEPT)
  if (LANGUAGES.some((one) => one === kept)) return kept as Language
  const wanted = typeof navigator === "undefined" ? [] : navigator.languages
  for (const one of wanted) {
    const found = languageOf(one)
    if (found) return found
  }
  return "en"
}

/** The language of ours that a browser's tag asks for: Taiwan, Hong Kong and Macau write traditional characters. */
export function languageOf(tag: string): Language | null {
  const parts = tag.toLowerCase().split("-")
  if (parts[0] === "en") return "en"
  if (parts[0] !== "zh") return null
  return !parts.includes("hans") && parts.some((one) => ["hant", "tw", "hk", "mo"].includes(one)) ? "zh-Hant" : "zh"
}

export function language(): Language {
  return state.language
}

export function isChinese(): boolean {
  return state.language !== "en"
}

/** How moments are written: day, month and a clock of 24 hours. */
export function locale(): string {
  return isChinese() ? "zh-CN" : "en-GB"
}

const listeners = new Set<() => void>()

export function onLanguage(listener: () => void): void {
  listeners.add(listener)
}

export function speak(language: Language): void {
  state.language = language
  localStorage.setItem(KEPT, language)
  document.documentElement.lang = TAGS[language]
  for (const listener of listeners) listener()
}

/** Every area that was declared, for the test that compares the languages. */
export const areas: { en: Words<string>; zh: Words<string> }[] = []

export function area<Key extends string>(
  en: Words<Key>,
  zh: Words<Key>,
): (key: Key, parameters?: Parameters) => string {
  areas.push({ en, zh })
  return (key, parameters) => filled(chosen(state.language, en[key], zh[key]), parameters)
}

function chosen(language: Language, en: string, zh: string): string {
  return language === "en" ? en : language === "zh" ? zh : zh && traditional(zh)
}

function filled(text: string, parameters?: Parameters): string {
  if (parameters === undefined) return text
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(parameters[name] ?? whole))
}

/** Things one after the other, parted as the language does. */
export function listed(things: readonly (string | number)[]): string {
  return things.join(isChinese() ? "、" : ", ")
}

/** A name written in English and simplified Chinese, as game files have them. */
export function named(words: Name): string {
  return inLanguage(state.language, words)
}

export function inLanguage(language: Language, words: Name): string {
  const en = words.en ?? ""
  return chosen(language, en, words.zh ?? en)
}
