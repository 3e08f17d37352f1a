/** What the reader's own machine makes sure of, without asking the house: hashes of events, the seal of a file, and the
 * place of every card in a shoe. */

import type { CardProof } from "../../lib/wire"

export interface Exported {
  readonly seal: string
  readonly before_hash: string
  readonly rows: readonly { version: number; kind: string; at: number; body: string; hash: string }[]
}

export interface Verified {
  /** By version: the hash that follows from the event and the hash before it; nothing where the file says another. */
  readonly hashes: { readonly [version: number]: string | null }
  /** The seal, if it is that of the file. */
  readonly seal: string | null
}

/** Recompute every hash of an exported round, and its seal. */
export async function verifyExport(text: string): Promise<Verified> {
  const exported = JSON.parse(text) as Exported
  const hashes: { [version: number]: string | null } = {}
  let before = bytes(exported.before_hash)
  for (const row of exported.rows) {
    before = await chained(before, row.kind, row.at, row.body)
    hashes[row.version] = hex(before) === row.hash ? row.hash : null
  }
  const unsealed = text.replace(`"seal": "${exported.seal}"`, '"seal": ""')
  return { hashes, seal: hex(await sha256(encoded(unsealed))) === exported.seal ? exported.seal : null }
}

/** The hash of an event that follows another. */
export function chained(before: Uint8Array, kind: string, at: number, body: string): Promise<Uint8Array> {
  const name = encoded(kind)
  return sha256(before, encoded(`${name.length}:${kind}:${at}:`), encoded(body))
}

/** Whether the card was at that place of the shoe when the commitment was published. */
export async function proves(proof: CardProof, commitment: string): Promise<boolean> {
  let place = proof.place
  const where = new Uint8Array([place >> 8, place & 255])
  let node = await sha256(new Uint8Array([0]), where, encoded(proof.card), bytes(proof.salt))
  for (const step of proof.path) {
    const other = bytes(step)
    node = place % 2 ? await sha256(ONE, other, node) : await sha256(ONE, node, other)
    place = Math.trunc(place / 2)
  }
  return hex(node) === commitment
}

const ONE = new Uint8Array([1])

async function sha256(...parts: readonly Uint8Array[]): Promise<Uint8Array> {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole))
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function bytes(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))
}

function hex(value: Uint8Array): string {
  return Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join("")
}
