import { fromBase64, toBase64 } from '../bytes.ts'
import { hash_bytes, type Hash } from '../sha256.ts'
import { openNote, signNote, type SigningKey } from './note.ts'
import type { PublicKey } from './public-key.ts'

/** The log at the end of one key and the beginning of the next: both may sign this size, with this root only. */
export type Position = { size: number; root: Hash }

/** The `number`-th replacement of a log's key, from 1: `from` signs up to the position and `to` from there on. */
export type Handover = Position & { origin: string; number: number; from: PublicKey; to: PublicKey }

/** Every export contains all handovers of its log. A key that is replaced every month reaches this after 83 years. */
export const maxHandovers = 1000

/** The first line of a checkpoint is the origin, so that neither can be read as the other. */
const title = 'vidimus audit key handover v1'

/** Signed by the old key, which names its successor, and by the new one, which shows that somebody has it. */
export function signHandover(
  { number, size, root }: Position & { number: number },
  from: SigningKey,
  to: SigningKey,
): string {
  const keys = [from, to].map(({ publicKey }) => `${toBase64(publicKey)}\n`).join('')
  return signNote(`${title}\n${from.name}\n${number}\n${size}\n${toBase64(root)}\n${keys}`, from, to)
}

const body =
  /^(?<first>[^\n]+)\n(?<origin>[^\n]+)\n(?<number>[1-9]\d{0,3})\n(?<size>0|[1-9]\d{0,15})\n(?<hashes>(?:[A-Za-z0-9+/]{43}=\n){3})$/

/** Reads a handover signed by both keys that it names. Undefined for anything else. */
export async function readHandover(note: string): Promise<Handover | undefined> {
  const { first, origin, number, size, hashes } =
    body.exec(note.slice(0, note.lastIndexOf('\n\n') + 1))?.groups ?? {}
  if (first !== title || origin === undefined || hashes === undefined) return undefined
  const [root, from, to] = hashes.split('\n').map(fromBase64)
  // A root and a public key have the same length.
  if (root?.length !== hash_bytes || from?.length !== hash_bytes || to?.length !== hash_bytes)
    return undefined
  const signed = await Promise.all([from, to].map((key) => openNote(note, origin, key)))
  if (signed.includes(undefined)) return undefined
  return { origin, number: Number(number), size: Number(size), root, from, to }
}
