import { expect, test } from "vitest"
import type { Me, Post } from "../../lib/wire"
import { landing } from "./landing"

const me = (post: Post): Me => ({ roles: { "*": post } }) as unknown as Me

test("everyone lands at their own desk once whenever they come in", () => {
  expect(landing(me("pit_manager"), 1)).toEqual(["pit"])
  expect(landing(me("pit_manager"), 1)).toBeNull()
  expect(landing(me("player"), 2)).toBeNull()
  expect(landing(me("dealer"), 3)).toEqual(["dealer"])
  expect(landing(me("dealer"), 4)).toEqual(["dealer"])
})
