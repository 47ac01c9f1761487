import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Keyring } from '../../platform/keyring/open.ts'
import { readNow } from '../store.ts'
import { hashToken } from '../sessions/token.ts'

const lifetime_seconds = 300
const randomLength = 16
const bodyLength = randomLength + 6
const macLength = 16

/**
 * A challenge for a passkey to sign. It contains its expiry and a MAC over its purpose, so that nothing is stored until it is
 * answered: requesting a million challenges creates no row.
 */
export async function newChallenge(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  purpose: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const { seconds } = await readNow(db)
  const body = Buffer.alloc(bodyLength)
  randomBytes(randomLength).copy(body)
  body.writeUIntBE(seconds + lifetime_seconds, randomLength, 6)
  return new Uint8Array(Buffer.concat([body, challengeMac(keyring, purpose, body)]))
}

export type AnsweredChallenge = { hash: Buffer; expires_seconds: number }

/** Reads a challenge that was issued for this purpose; undefined for any other. `spendChallenge` checks its expiry. */
export function readChallenge(
  keyring: Keyring,
  purpose: string,
  challenge: string,
): AnsweredChallenge | undefined {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== bodyLength + macLength) return undefined
  const body = bytes.subarray(0, bodyLength)
  if (!timingSafeEqual(challengeMac(keyring, purpose, body), bytes.subarray(bodyLength))) return undefined
  return { hash: hashToken(challenge), expires_seconds: body.readUIntBE(randomLength, 6) }
}

function challengeMac(keyring: Keyring, purpose: string, body: Buffer): Buffer {
  return keyring.mac('passkey challenge', purpose, body).subarray(0, macLength)
}
