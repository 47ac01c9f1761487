import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Context } from '../../engine/context.ts'
import {
  type SignedChallenge,
  newChallenge,
  readChallenge,
  readRegistration,
  signInFailed,
} from './challenge.ts'

type Ctx = Pick<Context, 'db' | 'keyring'>

/** The host and origin that passkeys are for. */
export type RelyingParty = { rpID: string; origin: string }

export function relyingParty(base_url: string): RelyingParty {
  const { hostname, origin } = new URL(base_url)
  return { rpID: hostname, origin }
}

/** ES256, EdDSA and RS256 (COSE). Every authenticator in use supports one of them. */
const supportedAlgorithmIDs = [-7, -8, -257]

/** The WebAuthn library is loaded with the first passkey: with its parser of certificates it takes a tenth of the time to start. */
const loadWebAuthn = () => import('@simplewebauthn/server')
const loadWebAuthnHelpers = () => import('@simplewebauthn/server/helpers')

/** A passkey that is known to belong to its owner. */
export type KnownPasskey = { credential_id: string; transports: string[] }

export type StartRegistration = {
  rp: RelyingParty
  /** What the challenge is good for. The response must be checked for the same. */
  purpose: string
  /** `handle`: what the authenticator returns of its owner. */
  owner: { handle: string; email: string; name: string }
  existing: readonly KnownPasskey[]
}

/** WebAuthn options for a new passkey: discoverable, with user verification. */
export async function startRegistration(
  ctx: Ctx,
  { rp, purpose, owner, existing }: StartRegistration,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await loadWebAuthn()
  return generateRegistrationOptions({
    rpName: 'Vidimus',
    rpID: rp.rpID,
    userID: new TextEncoder().encode(owner.handle),
    userName: owner.email,
    userDisplayName: owner.name,
    challenge: await newChallenge(ctx, purpose),
    attestationType: 'none',
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: existing.map(({ credential_id: id, transports }) => ({ id, transports })),
  })
}

export type VerifiedPasskey = {
  credential_id: string
  public_key: Buffer
  counter: number
  transports: string[]
  backed_up: boolean
  challenge: SignedChallenge
}

type CheckResponse<Response> = { rp: RelyingParty; purpose: string; response: Response }

/** Verifies a registration response. Pure computation: nothing is stored yet. */
export async function checkRegistration(
  { keyring }: Pick<Context, 'keyring'>,
  { rp, purpose, response: given }: CheckResponse<unknown>,
): Promise<VerifiedPasskey> {
  const response = readRegistration(given)
  await refuseAttestation(response)
  const { verifyRegistrationResponse } = await loadWebAuthn()
  let challenge: SignedChallenge | undefined
  const verified = await verifyRegistrationResponse({
    response,
    expectedOrigin: rp.origin,
    expectedRPID: rp.rpID,
    expectedChallenge: (signed) => (challenge = readChallenge(keyring, purpose, signed)) !== undefined,
    requireUserVerification: true,
    supportedAlgorithmIDs,
    // The library throws for every invalid response.
  }).catch(() => undefined)
  if (verified?.verified !== true || challenge === undefined) throw signInFailed()
  const { credential, credentialBackedUp } = verified.registrationInfo
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: credential.transports ?? [],
    backed_up: credentialBackedUp,
    challenge,
  }
}

/**
 * No attestation is requested, so a browser sends none or self-attestation. For any other the library would fetch the
 * revocation lists named in its certificates, bypassing egress.
 */
async function refuseAttestation({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject } = await loadWebAuthnHelpers()
  try {
    const bytes = new Uint8Array(Buffer.from(response.attestationObject, 'base64url'))
    const attestation = decodeAttestationObject(bytes)
    const format = attestation.get('fmt')
    if (format === 'none') return
    if (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined) return
  } catch {
    // Not CBOR, or not a map.
  }
  throw signInFailed()
}

/** WebAuthn options to authenticate: with one of these passkeys, or with any that the authenticator has for this host. */
export async function startAssertion(
  ctx: Ctx,
  { rp, purpose, passkeys }: { rp: RelyingParty; purpose: string; passkeys?: readonly KnownPasskey[] },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await loadWebAuthn()
  return generateAuthenticationOptions({
    rpID: rp.rpID,
    challenge: await newChallenge(ctx, purpose),
    userVerification: 'required',
    ...(passkeys !== undefined && {
      allowCredentials: passkeys.map(({ credential_id: id, transports }) => ({ id, transports })),
    }),
  })
}

export type VerifiedAssertion = { challenge: SignedChallenge; counter: number; backed_up: boolean }

/** Verifies a passkey's response to a challenge for this purpose. Pure computation: nothing is stored yet. */
export async function checkAssertion(
  { keyring }: Pick<Context, 'keyring'>,
  { credential_id, public_key, counter }: { credential_id: string; public_key: Buffer; counter: number },
  { rp, purpose, response }: CheckResponse<AuthenticationResponseJSON>,
): Promise<VerifiedAssertion> {
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  let challenge: SignedChallenge | undefined
  const verified = await verifyAuthenticationResponse({
    response,
    expectedOrigin: rp.origin,
    expectedRPID: rp.rpID,
    expectedChallenge: (signed) => (challenge = readChallenge(keyring, purpose, signed)) !== undefined,
    credential: { id: credential_id, publicKey: new Uint8Array(public_key), counter },
    requireUserVerification: true,
    // The library throws for every invalid response.
  }).catch(() => undefined)
  if (verified?.verified !== true || challenge === undefined) throw signInFailed()
  const { newCounter, credentialBackedUp } = verified.authenticationInfo
  return { challenge, counter: newCounter, backed_up: credentialBackedUp }
}
