import { expect, test } from "vitest"
import { chained, proves, verifyExport } from "./verify"

const COMMITMENT = "46abf6cd065b7e473e32639365ff57b01003be3691bc20e899bfc79f56fb8389"
const KING = {
  place: 1,
  card: "K♥",
  salt: "62".repeat(16),
  path: [
    "81c85458eec44dc342e6d4ebe25efe8979fcced3ee03c38f43069771000bd5d4",
    "076a8b6df255b9d11b1889fa9c99f2741646155b4fddc9eaadff8fe9f8cbea70",
  ],
}
const LAST = {
  place: 2,
  card: "2♦",
  salt: "63".repeat(16),
  path: [
    "4e7ebb6917814fff3dc1543a362735e35e81e16dadf1e5a985a85cf99f937376",
    "16dabbf48b5eae6736a551e83d48bad366c312dc289ad2f127c5bfe7b684d606",
  ],
}

test("a card proves its place as the house does", async () => {
  expect(await proves(KING, COMMITMENT)).toBe(true)
  expect(await proves(LAST, COMMITMENT)).toBe(true)
})

test.each([
  { place: 0 }, { card: "K♦" }, { salt: "61".repeat(16) }, { path: KING.path.slice(0, 1) }, { path: [...KING.path].reverse() },
])("another %o proves nothing", async (other) => {
  expect(await proves({ ...KING, ...other }, COMMITMENT)).toBe(false)
})

const hex = (value: Uint8Array): string => Buffer.from(value).toString("hex")

test("events are chained as the store chains them", async () => {
  const first = await chained(new Uint8Array(32), "BettingOpened.1", 5, '{"a":"庄"}')
  expect(hex(first)).toBe("87b73e780d770e0f6b112510999095b7177908db041ea4c8809b93bb0bba1b19")
  expect(hex(await chained(first, "X.1", 6, "{}"))).toBe("63ab7e945920e29d75d7ffa1d66f95b9ebaa744e96e881439e614833bc59591a")
})

test("an event that was changed is marked, and so is every one after it", async () => {
  const row = (version: number, body: string, hash: string) => ({ version, kind: version === 1 ? "BettingOpened.1" : "X.1", at: version + 4, body, hash })
  const rows = [
    row(1, '{"a":"庄"}', "87b73e780d770e0f6b112510999095b7177908db041ea4c8809b93bb0bba1b19"),
    row(2, "{}", "63ab7e945920e29d75d7ffa1d66f95b9ebaa744e96e881439e614833bc59591a"),
  ]
  const file = (which: typeof rows) => JSON.stringify({ seal: "x", before_hash: "00".repeat(32), rows: which })
  expect((await verifyExport(file(rows))).hashes).toEqual({ 1: rows[0]!.hash, 2: rows[1]!.hash })
  const changed = [{ ...rows[0]!, body: '{"a":"閒"}' }, rows[1]!]
  const found = await verifyExport(file(changed))
  expect(found).toEqual({ hashes: { 1: null, 2: null }, seal: null })
})
