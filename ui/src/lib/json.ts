/** Reading an object somebody pasted, and where it stops being one. */

export type Broken = {
  /** Nothing, if it is JSON but no object. */
  readonly line: number
  readonly column: number
  readonly near: string
}

type Read = { readonly found: { readonly [name: string]: unknown } | null; readonly wrong: Broken | null }

const NEAR = 24
const NO_OBJECT: Broken = { line: 0, column: 0, near: "" }

/** Nothing is no object, and not wrong. */
export function readObject(text: string): Read {
  if (text.trim() === "") return { found: null, wrong: null }
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    return { found: null, wrong: brokenAt(text, stops(text)) }
  }
  if (typeof found !== "object" || found === null || Array.isArray(found)) return { found: null, wrong: NO_OBJECT }
  return { found: found as { [name: string]: unknown }, wrong: null }
}

function brokenAt(text: string, place: number): Broken {
  const before = text.slice(0, place).split("\n")
  const rest = text.slice(place, place + NEAR).split("\n")[0] ?? ""
  return { line: before.length, column: (before.at(-1) ?? "").length + 1, near: rest || "…" }
}

const TOKEN = /[ \t\n\r]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.]))/y

/** The first place that cannot go on as JSON: browsers name it each in their own way, or not at all. */
function stops(text: string): number {
  const open: ("{" | "[")[] = []
  /** What may come: a value, a name, a colon, what follows a value, or nothing more. */
  let wants: "value" | "value or ]" | "name" | "name or }" | "colon" | "after" = "value"
  TOKEN.lastIndex = 0
  for (;;) {
    const start = TOKEN.lastIndex + (/^[ \t\n\r]*/.exec(text.slice(TOKEN.lastIndex))?.[0].length ?? 0)
    const token = TOKEN.exec(text)
    if (!token) return start
    const [, mark, name, plain] = token
    const value = wants === "value" || wants === "value or ]"
    if ((mark === "{" || mark === "[") && value) {
      open.push(mark)
      wants = mark === "{" ? "name or }" : "value or ]"
    } else if ((name || plain) && value) wants = "after"
    else if (name && (wants === "name" || wants === "name or }")) wants = "colon"
    else if (mark === ":" && wants === "colon") wants = "value"
    else if (mark === "," && wants === "after" && open.length) wants = open.at(-1) === "{" ? "name" : "value"
    else if (mark === "}" && open.at(-1) === "{" && (wants === "after" || wants === "name or }")) {
      open.pop()
      wants = "after"
    } else if (mark === "]" && open.at(-1) === "[" && (wants === "after" || wants === "value or ]")) {
      open.pop()
      wants = "after"
    } else return start
  }
}
