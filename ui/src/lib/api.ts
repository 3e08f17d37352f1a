/** The API of the house, typed: `await api("round", { path: { table, round } })`. A refusal is thrown as `Refused`. */

import { slot } from "./router.svelte"
import { type Operations, operations, type Problem, type Reason, type Refusal } from "./wire"
import { language } from "./words/words.svelte"
import { t } from "./words/common"

/** Why not: the reason, the sentence in the reader's language, and the paragraph where there is one. */
export class Refused extends Error {
  constructor(
    readonly why: Refusal,
    readonly status = 0,
  ) {
    super(why.sentence)
  }
  get reason(): Reason {
    return this.why.reason
  }
  /** It may have been done all the same: no answer came, or one of somebody between here and the house. */
  get unanswered(): boolean {
    return this.reason === "failed" && (this.status === 0 || this.status >= 500)
  }
}

type Asked<Name extends keyof Operations> = (Operations[Name]["path"] extends { [key: string]: never }
  ? { path?: undefined }
  : keyof Operations[Name]["path"] extends never
    ? { path?: undefined }
    : { path: Operations[Name]["path"] }) &
  (Operations[Name]["takes"] extends null ? { body?: undefined } : { body: Operations[Name]["takes"] }) & {
    query?: Operations[Name]["query"] extends null ? undefined : Operations[Name]["query"]
  }

export async function api<Name extends keyof Operations>(
  name: Name,
  ...[asked]: {} extends Asked<Name> ? [asked?: Asked<Name>] : [asked: Asked<Name>]
): Promise<Operations[Name]["gives"]> {
  const [method, path] = operations[name]
  const { path: inside = {}, query, body } = (asked ?? {}) as {
    path?: { [name: string]: string }
    query?: { [name: string]: unknown }
    body?: unknown
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(inside[part] ?? ""))
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null)
  const search = pairs.length ? `?${new URLSearchParams(pairs.map(([key, value]) => [key, String(value)]))}` : ""
  return request(method, `/u/${slot}/api${filled}${search}`, body) as Promise<Operations[Name]["gives"]>
}

async function request(method: string, url: string, body: unknown): Promise<unknown> {
  const headers: { [name: string]: string } = { "accept-language": language() }
  if (method !== "GET") headers["x-puntobanco"] = "1"
  if (body !== undefined) headers["content-type"] = "application/json"
  let text: string
  let answer: Response
  try {
    answer = await fetch(url, { method, headers, body: body === undefined ? null : JSON.stringify(body), cache: "no-store" })
    text = await answer.text()
    if (answer.ok) return text === "" ? null : (JSON.parse(text) as unknown)
  } catch {
    // no answer, one that broke off, or one of somebody between here and the house
    throw new Refused({ reason: "failed", sentence: t("unreachable") })
  }
  throw new Refused(whyOf(text), answer.status)
}

function whyOf(text: string): Refusal {
  try {
    const problem = JSON.parse(text) as Problem
    if (typeof problem.detail !== "string") throw new Error("not a problem of ours")
    return {
      reason: problem.reason,
      sentence: problem.detail,
      paragraph: problem.paragraph ?? null,
      parameters: problem.parameters ?? {},
    }
  } catch {
    return { reason: "failed", sentence: t("unreachable") }
  }
}

/** A number of one's own for what is asked: sent twice it happens once. */
export function request_id(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("")
}
