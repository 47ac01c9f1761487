import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Keyring } from '../../engine/keyring/index.ts'
import { readNow } from './store.ts'
import { hashToken } from './tokens.ts'

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

export type SignedChallenge = { hash: Buffer; expires_seconds: number }

/**
 * Reads a challenge that was issued for this purpose; undefined for any other. `spendChallenge` checks its expiry. A person who signs in
 * has no cell yet, so among several cells the page joins the challenges of all: one of them must be ours.
 */
export function readChallenge(
  keyring: Keyring,
  purpose: string,
  signed: string,
): SignedChallenge | undefined {
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

/** The same refusal for every failure: unknown passkey, wrong signature, used or expired challenge. */
export function signInFailed(): Refusal {
  return new Refusal('sign_in_failed', 'Sign-in failed. Try again, or ask for a new link.')
}

const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/)
const maxIdLength = 1400
const common = {
  id: base64url(maxIdLength),
  rawId: base64url(maxIdLength),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional().catch(undefined),
}
const transports = z.array(z.string().max(32)).max(10).optional().catch(undefined)

const Registration = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url(8192),
    attestationObject: base64url(65_536),
    transports,
  }),
})

const Assertion = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url(8192),
    authenticatorData: base64url(8192),
    signature: base64url(2048),
    userHandle: base64url(128).optional(),
  }),
})

/** A browser's registration response in WebAuthn's JSON form, without the members that are not used. */
export function readRegistration(given: unknown): RegistrationResponseJSON {
  const { response, ...rest } = parseOrRefuse(Registration, given)
  return { ...rest, response, clientExtensionResults: {} } as RegistrationResponseJSON // checked by the schema above
}

export function readAssertion(given: unknown): AuthenticationResponseJSON {
  const { response, ...rest } = parseOrRefuse(Assertion, given)
  return { ...rest, response, clientExtensionResults: {} } as AuthenticationResponseJSON // checked by the schema above
}

function parseOrRefuse<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given)
  if (!parsed.success) throw signInFailed()
  return parsed.data
}
