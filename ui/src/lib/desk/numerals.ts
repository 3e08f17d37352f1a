/** Amounts in words, so that whoever hands over money reads twice what it is. */

import { isChinese, named } from "../words/words.svelte"

const ONES = [
  "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
  "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]
const TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
const GROUPS = ["", " thousand", " million", " billion", " trillion", " quadrillion"]
const DIGITS = "零壹贰叁肆伍陆柒捌玖"
const PLACES = ["", "拾", "佰", "仟"]
const MYRIADS = ["", "万", "亿", "万亿", "亿亿"]

export function inWords(cents: number): string {
  const minus = cents < 0
  const size = Math.abs(cents)
  const whole = Math.trunc(size / 100)
  const rest = size % 100
  if (isChinese()) return named({ zh: (minus ? "负" : "") + chinese(whole, rest) })
  return (minus ? "minus " : "") + english(whole) + (rest ? ` and ${String(rest).padStart(2, "0")}/100` : "")
}

function english(whole: number): string {
  if (whole === 0) return ONES[0]!
  const parts: string[] = []
  for (let group = 0; whole > 0; group += 1, whole = Math.trunc(whole / 1000)) {
    const part = whole % 1000
    if (part) parts.unshift(hundreds(part) + GROUPS[group]!)
  }
  return parts.join(" ")
}

function hundreds(part: number): string {
  const rest = part % 100
  const said: string[] = part >= 100 ? [`${ONES[Math.trunc(part / 100)]} hundred`] : []
  if (rest >= 20) said.push(TENS[Math.trunc(rest / 10)]! + (rest % 10 ? `-${ONES[rest % 10]}` : ""))
  else if (rest) said.push(ONES[rest]!)
  return said.join(" and ")
}

function chinese(whole: number, rest: number): string {
  let said = ""
  const groups: number[] = []
  for (let left = whole; left > 0; left = Math.trunc(left / 10_000)) groups.push(left % 10_000)
  groups.reverse().forEach((group, place) => {
    if (group === 0) return
    if (said !== "" && group < 1000) said += DIGITS[0]
    said += myriad(group) + MYRIADS[groups.length - 1 - place]!
  })
  const units = said === "" ? (rest ? "" : "零元") : `${said}元`
  if (rest === 0) return `${units}整`
  const [ten, one] = [Math.trunc(rest / 10), rest % 10]
  return units + (ten ? `${DIGITS[ten]}角` : said ? DIGITS[0]! : "") + (one ? `${DIGITS[one]}分` : "整")
}

function myriad(group: number): string {
  let said = ""
  let gap = false
  for (let place = 3; place >= 0; place -= 1) {
    const digit = Math.trunc(group / 10 ** place) % 10
    if (digit === 0) gap = said !== ""
    else {
      said += (gap ? DIGITS[0] : "") + DIGITS[digit]! + PLACES[place]!
      gap = false
    }
  }
  return said
}
