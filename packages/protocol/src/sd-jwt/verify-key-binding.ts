import { hash } from 'node:crypto'
import { findJoseAlgorithm } from '../crypto/algorithms.ts'
import { readJws, type Jws } from '../crypto/read-jws.ts'
import { readJwk } from '../crypto/read-public-key.ts'
import { fitsKey, verifySignature, type PublicKey } from '../crypto/verify-signature.ts'
import { failure } from '../findings.ts'
import { catchInputError, InputError } from '../input-error.ts'
import { isObject } from '../json.ts'
import { expectNumericDates, findLifetimeError, maxClockSkew_seconds } from '../lifetime.ts'
import type { DcApiBinding, Finding, RedirectBinding, VerificationContext } from '../presentation.ts'
import type { SdJwt } from './read.ts'
import { readHashAlgorithm } from './restore.ts'

/** Checks that the sender holds the key of the credential and presented it for this request (RFC 9901 §7.3). */
export function verifyKeyBinding(sdJwt: SdJwt, context: VerificationContext): Finding[] {
  const { binding } = context.request
  if (binding.channel === 'annex_c' || binding.channel === 'proximity')
    return [failure('key_binding', 'this channel carries mdocs only')]
  if (sdJwt.key_binding_jwt === '') return [failure('key_binding', 'the key binding JWT is missing')]
  const proof = catchInputError(() => readProof(sdJwt.key_binding_jwt))
  if ('error' in proof) return [failure('key_binding', proof.error)]

  const key = catchInputError(() => readHolderKey(sdJwt.issuer_jwt.payload))
  return [
    ...('error' in key ? [failure('holder_key', key.error)] : checkSignature(proof.value, key.value)),
    ...checkBinding(proof.value.payload, { sdJwt, binding, context }),
  ]
}

function readProof(jwt: string): Jws {
  const proof = readJws(jwt)
  if (proof.header['typ'] !== 'kb+jwt') throw new InputError('the typ of the key binding JWT is not kb+jwt')
  if (proof.header['crit'] !== undefined)
    throw new InputError('the header of the key binding JWT requires an unsupported extension')
  expectNumericDates(proof.payload)
  return proof
}

/** Read from the signed payload, never from a disclosure. */
function readHolderKey({ cnf }: Record<string, unknown>): PublicKey {
  const jwk = isObject(cnf) ? cnf['jwk'] : undefined
  if (!isObject(jwk)) throw new InputError('the credential does not name the key of its holder (cnf)')
  return readJwk(jwk)
}

function checkSignature({ header, signed, signature }: Jws, key: PublicKey): Finding[] {
  const algorithm = findJoseAlgorithm(header['alg'])
  if (algorithm === undefined || !fitsKey(algorithm, key)) {
    return [
      failure(
        'key_binding',
        "the algorithm of the key binding JWT is not accepted, or does not match the holder's key",
      ),
    ]
  }
  if (verifySignature(algorithm, key, signed, signature)) return []
  return [failure('key_binding_signature', "the key binding JWT is not signed with the holder's key")]
}

type BindingInput = {
  sdJwt: SdJwt
  binding: RedirectBinding | DcApiBinding
  context: VerificationContext
}

function checkBinding(
  claims: Record<string, unknown>,
  { sdJwt, binding, context: { request, now } }: BindingInput,
): Finding[] {
  const findings: Finding[] = []
  const { nonce, aud, sd_hash } = claims
  if (nonce !== binding.nonce) {
    findings.push(failure('key_binding_nonce', 'the nonce does not belong to this verification'))
  }
  if (aud !== expectedAudience(binding)) {
    findings.push(failure('key_binding_audience', 'the audience is not this service'))
  }
  if (!wasMadeInVerification(claims, request, now)) {
    findings.push(
      failure(
        'key_binding_time',
        'the key binding JWT was issued before this verification or in the future, or has expired',
      ),
    )
  }
  const algorithm = catchInputError(() => readHashAlgorithm(sdJwt.issuer_jwt.payload))
  if ('error' in algorithm || sd_hash !== hash(algorithm.value, sdJwt.sd_hash_input, 'base64url')) {
    findings.push(failure('key_binding_hash', 'sd_hash does not match the disclosed claims'))
  }
  return findings
}

/** A single string: the client identifier with its prefix (OpenID4VP 1.0 §14.1.2), or the origin, although the request is signed (§A.4). */
function expectedAudience(binding: RedirectBinding | DcApiBinding): string {
  return binding.channel === 'redirect' ? binding.client_id : `origin:${binding.origin}`
}

function wasMadeInVerification(
  claims: Record<string, unknown>,
  { created_at }: VerificationContext['request'],
  now: number,
): boolean {
  const { iat } = claims
  if (typeof iat !== 'number' || findLifetimeError(claims, now) !== undefined) return false
  return created_at - maxClockSkew_seconds <= iat && iat <= now + maxClockSkew_seconds
}
