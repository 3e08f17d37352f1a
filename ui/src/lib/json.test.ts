import { describe, expect, it } from "vitest"
import { readObject } from "./json"

describe("an object somebody pasted", () => {
  it("is read, and nothing is no object", () => {
    expect(readObject('{"a": [1, -2.5e3, true, null, "\\u00e9\\n", {}, []]}').found).toEqual({ a: [1, -2500, true, null, "é\n", {}, []] })
    expect(readObject(" \n")).toEqual({ found: null, wrong: null })
  })

  it.each(["[]", "42", "null", '"text"', "true"])("is not %s", (text) => {
    expect(readObject(text)).toEqual({ found: null, wrong: { line: 0, column: 0, near: "" } })
  })

  it.each([
    ["{", 1, 2, "…"],
    ["hello", 1, 1, "hello"],
    ['{"a": 1,}', 1, 9, "}"],
    ['{"a": 1\n "b": 2}', 2, 2, '"b": 2}'],
    ["{'a': 1}", 1, 2, "'a': 1}"],
    ['{"a" 1}', 1, 6, "1}"],
    ['{"a": 01}', 1, 7, "01}"],
    ['{"a": [1 2]}', 1, 10, "2]}"],
    ['{"a": [1}]', 1, 9, "}]"],
    ['{"a": 1} x', 1, 10, "x"],
    ['{"a": "line\nbreak"}', 1, 7, '"line'],
    ['{"a": nulla}', 1, 7, "nulla}"],
    ['[1, 2', 1, 6, "…"],
    [",", 1, 1, ","],
    ['{\u00a0"a": 1}', 1, 2, '\u00a0"a": 1}'],
  ])("stops being one where it does: %s", (text, line, column, near) => {
    expect(readObject(text).wrong).toEqual({ line, column, near })
  })
})
