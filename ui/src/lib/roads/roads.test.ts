import { describe, expect, it } from "vitest"
import { type Cell, type Derived, type Dot, type Mark, type Place, roads } from "./roads"
import vectors from "./vectors.json"

/** As `tests/web/roads_vectors.py` writes them. */
const written = (mark: Mark): string =>
  mark.winner + (mark.bankerPair ? "b" : "") + (mark.playerPair ? "p" : "") + (mark.natural ? "n" : "")
const at = (place: Place): string => `${place.column},${place.row}`
const cell = (one: Cell): string => `${written(one.mark)}${one.ties || ""}@${at(one)}`
const dots = (road: readonly Dot[]): string => road.map((dot) => `${dot.colour}@${at(dot)}`).join(" ")
const asked = (colours: Derived<string | null>): string =>
  [colours.bigEyeBoy, colours.smallRoad, colours.cockroachPig].map((colour) => colour ?? "-").join("")

describe("the roads are those the house draws", () => {
  it.each(vectors)("shoe $shoe, $turn", (vector) => {
    const found = roads(vector.results === "" ? [] : vector.results.split(" "), vector.turn === "drop_when_free")
    expect({
      bead_plate: found.beadPlate.map(at).join(" "),
      big_road: found.bigRoad.map(cell).join(" "),
      ties_waiting: found.tiesWaiting,
      big_eye_boy: dots(found.derived.bigEyeBoy),
      small_road: dots(found.derived.smallRoad),
      cockroach_pig: dots(found.derived.cockroachPig),
      ask: { B: asked(found.ask.B), P: asked(found.ask.P) },
    }).toEqual(vector.roads)
    expect(found.counts).toMatchObject(vector.counts)
  })
})

it("reads the other bets that won, and counts them", () => {
  const found = roads(["Bbn+big_tiger", "Pp", "B+big_tiger+wu_song"])
  expect(found.beadPlate[0]!.mark).toEqual({ winner: "B", bankerPair: true, playerPair: false, natural: true, bets: ["big_tiger"] })
  expect(found.wins).toEqual({ big_tiger: 2, wu_song: 1 })
  expect(found.counts).toMatchObject({ banker: 2, player: 1, bankerPair: 1, playerPair: 1 })
})

it("counts pairs and naturals beside the winner", () => {
  expect(roads(["Bbn", "Pp", "T", "Tbp"]).counts).toEqual({
    rounds: 4,
    banker: 1,
    player: 1,
    tie: 2,
    bankerPair: 2,
    playerPair: 2,
    natural: 1,
  })
})
