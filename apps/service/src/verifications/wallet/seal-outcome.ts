import type { Environment } from '@vidimus/contract'
import { type CredentialResult, type Json, type Outcome, boundedMap, failures } from '@vidimus/protocol'
import {
  type JweRecipient,
  type PublicKeyJwk,
  encryptToRecipients,
  importRecipient,
} from '../../engine/formats/index.ts'

export type SealingKeys = readonly { kid: string; jwk: PublicKeyJwk }[]

type Sealing = {
  id: string
  environment: Environment
  /** Seconds since 1970. */
  now: number
  keys: SealingKeys
  /** Claims that the template leaves readable if they are true or false. */
  clear_claims?: readonly string[] | undefined
}

/** Sealed texts have a multiple of this length, so that it does not tell whether there is a portrait. */
const step_bytes = 1024
/** The claim that has a sealed result. The names in templates begin with a letter. */
const sealedClaim = '_sealed'
const recipients = boundedMap<string, JweRecipient>(1000)

/**
 * An outcome as it may leave the thread: claims, issuers and the details of findings are encrypted to the merchant's keys, or dropped if
 * the verification failed. Status, code, formats, types and the names of checks stay readable. The merchant compares the id inside with
 * the one outside, so that one result cannot take the place of another. What stays readable is inside, too.
 */
export function sealOutcome(
  { status, claims, credentials, error, unreadable }: Outcome,
  { id, environment, now, keys, clear_claims = [] }: Sealing,
): Outcome {
  const readable = {
    status,
    credentials: credentials.map(withoutValues),
    ...(error !== undefined && { error: withoutDetail(error) }),
    ...(unreadable !== undefined && { unreadable }),
  }
  if (status === 'failed') return { ...readable, claims: {} }
  if (keys.length === 0) throw new Error('results are sealed, but there is no key')
  const responded_at = new Date(now * 1000).toISOString()
  const text = pad(JSON.stringify({ id, environment, responded_at, claims, credentials }))
  const sealed = encryptToRecipients(text, keys.map(toRecipient))
  const clear = clear_claims.flatMap((name) => {
    const value = claims[name]
    return typeof value === 'boolean' ? [[name, value] as const] : []
  })
  return { ...readable, claims: { ...Object.fromEntries(clear), [sealedClaim]: sealed as Json } } // a JWE in its JSON serialisation
}

function withoutValues({ findings, ...credential }: CredentialResult): CredentialResult {
  return {
    ...credential,
    claims: {},
    issuer: {},
    findings: findings.map(({ check, status }) => ({ check, status })),
  }
}

/** What follows the name of the check, and what a wallet says of itself, could repeat a claim. */
function withoutDetail({ code, message }: NonNullable<Outcome['error']>): NonNullable<Outcome['error']> {
  const [check] = /^(?:The response|Credential "[^"]*") failed the check \w+/.exec(message) ?? []
  const [meaning = ''] = failures[code].meaning.split('. ')
  const text = check ?? meaning.replace(/\.$/, '')
  return { code, message: `${text}. Details are not kept, because results are sealed.` }
}

/** Spaces after JSON do not change it. */
function pad(text: string): string {
  return text + ' '.repeat((step_bytes - (Buffer.byteLength(text) % step_bytes)) % step_bytes)
}

/** A thumbprint belongs to one key, so an imported key is never another one. */
function toRecipient({ kid, jwk }: SealingKeys[number]): JweRecipient {
  const recipient = recipients.get(kid) ?? importRecipient(kid, jwk)
  if (recipient === undefined) throw new Error('a sealing key is not a point of its curve')
  recipients.set(kid, recipient)
  return recipient
}
