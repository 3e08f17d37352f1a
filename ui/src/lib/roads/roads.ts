/** The scoreboards ("roads"): five drawings of the results of one shoe. They inform, and decide nothing.
 *
 * The same as `puntobanco.roads`, which writes the vectors this is tested by. */

export const ROWS = 6

export type Winner = "B" | "P" | "T"
/** On the Big Road red is the Banker; on the roads derived from it red is a pattern kept, blue one broken. */
export type Colour = "r" | "b"

export interface Mark {
  readonly winner: Winner
  readonly bankerPair: boolean
  readonly playerPair: boolean
  readonly natural: boolean
  /** The keys of other bets that won, such as `big_tiger`. */
  readonly bets: readonly string[]
}

export interface Place {
  readonly column: number
  readonly row: number
}

/** A mark in its place, and the ties counted on it. */
export interface Cell extends Place {
  readonly mark: Mark
  readonly ties: number
}

export interface Dot extends Place {
  readonly colour: Colour
}

/** The derived roads compare a run with the one before it, the second and the third before. */
export interface Derived<Each> {
  readonly bigEyeBoy: Each
  readonly smallRoad: Each
  readonly cockroachPig: Each
}

export interface Counts {
  readonly rounds: number
  readonly banker: number
  readonly player: number
  readonly tie: number
  readonly bankerPair: number
  readonly playerPair: number
  readonly natural: number
}

/** The counts in the order in which they are shown. */
export const COUNTS = ["banker", "player", "tie", "bankerPair", "playerPair", "natural"] as const

export interface Roads {
  readonly beadPlate: readonly Cell[]
  readonly bigRoad: readonly Cell[]
  readonly derived: Derived<readonly Dot[]>
  /** Ties that have no result yet to be counted on. */
  readonly tiesWaiting: number
  /** What each derived road would get if the next result were this. */
  readonly ask: { readonly B: Derived<Colour | null>; readonly P: Derived<Colour | null> }
  readonly counts: Counts
  /** How often each other bet has won. */
  readonly wins: { readonly [bet: string]: number }
}

/** `B`, `P` or `T`, then `b` or `p` for a pair in that hand and `n` for a natural, then `+` and the key of every other
 * bet that won: as the house writes results. */
export function readMark(text: string): Mark {
  const [result = "", ...bets] = text.split("+")
  const flags = result.slice(1)
  return {
    bets,
    winner: result[0] as Winner,
    bankerPair: flags.includes("b"),
    playerPair: flags.includes("p"),
    natural: flags.includes("n"),
  }
}

/** Six rows: a new column at each change, then down, and right where there is no room below. Later runs lie above
 * earlier ones, so the topmost row taken is all there is to know of a column to the right. */
function laid(colours: readonly Colour[], dropWhenFree: boolean): Place[] {
  const tops = new Map<number, number>()
  const places: Place[] = []
  let latest: Colour | null = null
  let start = -1
  let floor = 0
  let column = 0
  let row = 0
  for (const colour of colours) {
    if (colour !== latest) {
      latest = colour
      start += 1
      while ((floor = tops.get(start) ?? ROWS) === 0) start += 1
      column = start
      row = 0
    } else if (row + 1 < floor) {
      row += 1
    } else {
      column += 1
      floor = dropWhenFree ? (tops.get(column) ?? ROWS) : 0
      tops.set(column, row)
    }
    places.push({ column, row })
  }
  return places
}

/** `dropWhenFree`: a run that has turned right goes down again where there is room. */
export function roads(results: readonly string[], dropWhenFree = false): Roads {
  const marks = results.map(readMark)
  const won: Mark[] = []
  const ties = [0]
  const colours: Colour[] = []
  const derived: [Colour[], Colour[], Colour[]] = [[], [], []]
  let latest: Winner | null = null
  let length = 0
  /** The lengths of the three runs before the latest, nothing where there was none. */
  let earlier: readonly [number, number, number] = [0, 0, 0]

  const compared = (winner: Winner, run: number): Colour | null => {
    if (run === 0) return null
    return (length === run) === (winner === latest) ? "b" : "r"
  }
  for (const mark of marks) {
    if (mark.winner === "T") {
      ties[ties.length - 1]! += 1
      continue
    }
    for (const [place, run] of earlier.entries()) {
      const colour = compared(mark.winner, run)
      if (colour !== null) derived[place]!.push(colour)
    }
    if (won.length > 0) ties.push(0) // ties before the first result wait for it
    if (mark.winner === latest) length += 1
    else {
      earlier = [length, earlier[0], earlier[1]]
      latest = mark.winner
      length = 1
    }
    won.push(mark)
    colours.push(mark.winner === "B" ? "r" : "b")
  }
  const big = laid(colours, dropWhenFree)
  const dots = derived.map((road) => laid(road, dropWhenFree).map((place, k) => ({ ...place, colour: road[k]! })))
  const asked = (winner: Winner): Derived<Colour | null> => ({
    bigEyeBoy: compared(winner, earlier[0]),
    smallRoad: compared(winner, earlier[1]),
    cockroachPig: compared(winner, earlier[2]),
  })
  return {
    beadPlate: marks.map((mark, k) => ({ column: Math.floor(k / ROWS), row: k % ROWS, mark, ties: 0 })),
    bigRoad: big.map((place, k) => ({ ...place, mark: won[k]!, ties: ties[k]! })),
    derived: { bigEyeBoy: dots[0]!, smallRoad: dots[1]!, cockroachPig: dots[2]! },
    tiesWaiting: won.length === 0 ? ties[0]! : 0,
    ask: { B: asked("B"), P: asked("P") },
    counts: counted(marks),
    wins: winsOf(marks),
  }
}

function winsOf(marks: readonly Mark[]): { readonly [bet: string]: number } {
  const wins: { [bet: string]: number } = {}
  for (const bet of marks.flatMap((mark) => mark.bets)) wins[bet] = (wins[bet] ?? 0) + 1
  return wins
}

function counted(marks: readonly Mark[]): Counts {
  const many = (holds: (mark: Mark) => boolean): number => marks.filter(holds).length
  return {
    rounds: marks.length,
    banker: many((mark) => mark.winner === "B"),
    player: many((mark) => mark.winner === "P"),
    tie: many((mark) => mark.winner === "T"),
    bankerPair: many((mark) => mark.bankerPair),
    playerPair: many((mark) => mark.playerPair),
    natural: many((mark) => mark.natural),
  }
}
