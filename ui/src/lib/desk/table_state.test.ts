import { expect, test } from "vitest"
import { areas } from "../words/words.svelte"
import { SHAPES, stateOf, STATES, stateWords } from "./table_state"

test("every state has a word and a shape of its own, whatever the colours", () => {
  expect(new Set(STATES.map((state) => SHAPES[state])).size).toBe(STATES.length)
  expect(stateWords("betting")).toBeTruthy()
  const words = areas.find((one) => "between" in one.en && "stopped" in one.en && Object.keys(one.en).length === STATES.length)!
  for (const language of [words.en, words.zh]) expect(new Set(Object.values(language)).size).toBe(STATES.length)
})

test("what stops a table comes before notice of closing, and notice before the round", () => {
  expect(stateOf("betting")).toBe("betting")
  expect(stateOf("betting", { notice: true })).toBe("closing")
  expect(stateOf("decision", { notice: true })).toBe("decision")
  expect(stateOf("closed", { notice: true })).toBe("closed")
  expect(stateOf("betting", { stopped: true, notice: true })).toBe("stopped")
})
