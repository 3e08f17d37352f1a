/** Sounds, made on the spot, so there is nothing to load. They are off unless somebody wants them, except for what waits
 * for a decision: that is heard unless somebody wants none at all. */

const KEPT = "puntobanco.sound"
/** Which are heard: the next one follows at each switch. */
const HEARD = ["waiting", "on", "off"] as const
type Heard = (typeof HEARD)[number]
const kept = typeof localStorage === "undefined" ? null : localStorage.getItem(KEPT)
const state = $state<{ heard: Heard }>({ heard: HEARD.find((one) => one === kept) ?? "waiting" })
let audio: AudioContext | null = null

/** Pitches in Hertz, one after the other, and how long each lasts in seconds. */
const SOUNDS = {
  card: { pitches: [180], lasts: 0.05, shape: "triangle" },
  accepted: { pitches: [660, 880], lasts: 0.08, shape: "sine" },
  refused: { pitches: [220, 165], lasts: 0.12, shape: "sine" },
  won: { pitches: [523, 659, 784, 1047], lasts: 0.11, shape: "sine" },
  waiting: { pitches: [784, 588, 784], lasts: 0.16, shape: "sine" },
  last: { pitches: [440], lasts: 0.06, shape: "sine" },
} as const satisfies { [name: string]: { pitches: readonly number[]; lasts: number; shape: OscillatorType } }

export function soundHeard(): Heard {
  return state.heard
}

export function soundOn(): boolean {
  return state.heard === "on"
}

/** All or none, where nothing waits for a decision. */
export function switchSound(): void {
  hear(soundOn() ? "off" : "on")
}

/** All, none, or what waits for a decision. */
export function switchDeskSound(): void {
  hear(HEARD[(HEARD.indexOf(state.heard) + 1) % HEARD.length]!)
}

function hear(heard: Heard): void {
  state.heard = heard
  localStorage.setItem(KEPT, heard)
  play(heard === "waiting" ? "waiting" : "accepted")
}

export function play(name: keyof typeof SOUNDS): void {
  if (state.heard === "off" || (state.heard === "waiting" && name !== "waiting")) return
  audio ??= new AudioContext()
  void audio.resume() // begun before the first touch of the page, it would stay silent
  const { pitches, lasts, shape } = SOUNDS[name]
  pitches.forEach((pitch, at) => {
    const tone = audio!.createOscillator()
    const volume = audio!.createGain()
    const begin = audio!.currentTime + at * lasts
    tone.type = shape
    tone.frequency.value = pitch
    volume.gain.setValueAtTime(0.12, begin)
    volume.gain.exponentialRampToValueAtTime(0.001, begin + lasts * 1.6)
    tone.connect(volume).connect(audio!.destination)
    tone.start(begin)
    tone.stop(begin + lasts * 1.7)
  })
}
