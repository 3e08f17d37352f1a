import { expect, test } from "vitest"
import { amountsOf, Slip } from "./slip.svelte"

const free = (): number => Number.MAX_SAFE_INTEGER
const WHY = { reason: "under_minimum", sentence: "too little" } as const

test("a slip holds absolute amounts of what differs from what is accepted", () => {
  const slip = new Slip()
  const accepted = { "1/player": 100 }
  slip.put("1/player", 150, accepted)
  slip.put("1/tie", 50, accepted)
  expect(slip.more(accepted)).toBe(100)
  slip.put("1/player", 100, accepted)
  expect(slip.send()).toEqual([{ box: 1, bet: "tie", amount: 50 }])
})

test("a slip that is on its way is not sent twice and not changed", () => {
  const slip = new Slip()
  slip.put("1/tie", 50, {})
  expect(slip.send()).toHaveLength(1)
  expect(slip.send()).toBeNull()
  slip.put("1/tie", 100, {})
  slip.undo()
  slip.clear()
  expect(slip.wanted).toEqual({ "1/tie": 50 })
  slip.answered([], null)
  expect([slip.empty, slip.sent]).toEqual([true, null])
})

test("each line is accepted or refused on its own", () => {
  const slip = new Slip()
  slip.put("1/tie", 50, {})
  slip.put("1/player", 5, {})
  slip.send()
  expect(slip.answered([{ line: 1, why: WHY }], null)).toBe(1)
  expect(slip.refused).toEqual({ "1/player": WHY })
  slip.put("1/player", 10, {})
  expect(slip.refused).toEqual({})
})

test("undo goes back step by step, also over doubling", () => {
  const slip = new Slip()
  slip.put("1/tie", 50, {})
  slip.put("1/player", 100, {})
  slip.double({}, (key) => (key === "1/tie" ? 75 : 1_000))
  expect(slip.wanted).toEqual({ "1/tie": 75, "1/player": 200 })
  slip.undo()
  slip.undo()
  expect(slip.wanted).toEqual({ "1/tie": 50 })
  slip.undo()
  expect(slip.empty).toBe(true)
})

test("doubling never takes chips away, and rebetting leaves alone what lies there", () => {
  const slip = new Slip()
  const accepted = { "1/banker": 500 }
  slip.double(accepted, () => 300)
  expect(slip.empty).toBe(true)
  slip.rebet({ "1/banker": 900, "2/tie": 50 }, accepted, free)
  expect(slip.wanted).toEqual({ "2/tie": 50 })
  expect(slip.missing({ "1/banker": 900, "2/tie": 50 }, accepted)).toEqual([])
  slip.takeBack(accepted)
  expect(slip.send()).toContainEqual({ box: 1, bet: "banker", amount: 0 })
})

test("insurance is no part of what is bet again", () => {
  const stakes = [
    { box: 1, bet: "banker", amount: 100 },
    { box: 1, bet: "banker_insurance@four", amount: 30 },
  ]
  expect(amountsOf(stakes)).toEqual({ "1/banker": 100 })
})
