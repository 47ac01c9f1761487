import { fromBase64, toBase64 } from '../bytes.ts'
import { hash_bytes, type Hash } from '../sha256.ts'
import { openNote, signNote, type SigningKey } from './note.ts'
import type { PublicKey } from './public-key.ts'

/** The state of a log: `size` leaves under `root`. The origin identifies the log and is also the name of its key. */
export type Checkpoint = { origin: string; size: number; root: Hash }

/** C2SP tlog-checkpoint: origin, size and root, one line each, signed. */
export function signCheckpoint({ size, root }: Omit<Checkpoint, 'origin'>, key: SigningKey): string {
  return signNote(`${key.name}\n${size}\n${toBase64(root)}\n`, key)
}

const body = /^(?<origin>[^\n]+)\n(?<size>[1-9]\d{0,15})\n(?<root>[A-Za-z0-9+/]{43}=)\n$/

/** Reads a checkpoint signed with the key. Undefined for anything else, whose content must not be used. */
export async function readCheckpoint(note: string, publicKey: PublicKey): Promise<Checkpoint | undefined> {
  const origin = note.slice(0, note.indexOf('\n'))
  const { size, root } = body.exec((await openNote(note, origin, publicKey)) ?? '')?.groups ?? {}
  if (size === undefined || root === undefined) return undefined
  const hash = fromBase64(root)
  if (hash?.length !== hash_bytes) return undefined
  return { origin, size: Number(size), root: hash }
}
