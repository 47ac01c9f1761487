import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../../engine/context.ts'
import type { Keyring } from '../../../engine/keyring/index.ts'
import { readNow } from '../store.ts'
import { hashToken } from '../sessions/token.ts'

const lifetime_seconds = 300
const randomLength = 16
const bodyLength = randomLength + 6
const macLength = 16
const challengeLength = bodyLength + macLength
/** One of each cell. */
export const maxJoinedChallenges = 32

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

/**
 * Reads a challenge that was issued for this purpose; undefined for any other. `spendChallenge` checks its expiry. A person who signs in
 * has no cell yet, so among several cells the page joins the challenges of all: one of them must be ours.
 */
export function readChallenge(
  keyring: Keyring,
  purpose: string,
  signed: string,
): AnsweredChallenge | undefined {
  const bytes = Buffer.from(signed, 'base64url')
  const count = bytes.length / challengeLength
  if (!Number.isInteger(count) || count < 1 || count > maxJoinedChallenges) return undefined
  for (let at = 0; at < bytes.length; at += challengeLength) {
    const challenge = bytes.subarray(at, at + challengeLength)
    const body = challenge.subarray(0, bodyLength)
    if (timingSafeEqual(challengeMac(keyring, purpose, body), challenge.subarray(bodyLength)))
      return {
        hash: hashToken(challenge.toString('base64url')),
        expires_seconds: body.readUIntBE(randomLength, 6),
      }
  }
  return undefined
}

function challengeMac(keyring: Keyring, purpose: string, body: Buffer): Buffer {
  return keyring.mac('passkey challenge', purpose, body).subarray(0, macLength)
}
