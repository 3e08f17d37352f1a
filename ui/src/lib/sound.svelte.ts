/** Sounds, off unless somebody wants them: made on the spot, so there is nothing to load. */

const KEPT = "puntobanco.sound"
const state = $state({ on: typeof localStorage !== "undefined" && localStorage.getItem(KEPT) === "on" })
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

export function soundOn(): boolean {
  return state.on
}

export function switchSound(): void {
  state.on = !state.on
  localStorage.setItem(KEPT, state.on ? "on" : "off")
  play("accepted")
}

export function play(name: keyof typeof SOUNDS): void {
  if (!state.on) return
  audio ??= new AudioContext()
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
