import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Context } from '../../../engine/context.ts'
import type { Db } from '../../../engine/db/index.ts'
import {
  type SignedChallenge,
  loadWebAuthn,
  loadWebAuthnHelpers,
  newChallenge,
  readChallenge,
  readRegistration,
  relyingParty,
  signInFailed,
} from './challenge.ts'
import { insertPasskey, readPasskeys, spendChallenge } from './store.ts'

export const maxPasskeys = 20
/** ES256, EdDSA and RS256 (COSE). Every authenticator in use supports one of them. */
const supportedAlgorithmIDs = [-7, -8, -257]

export type Registrant = { tenant_id: string; member_id: string; email: string; name: string }

/** WebAuthn options for a member's new passkey: discoverable, with user verification. */
export async function startRegistration(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  { tenant_id, member_id, email, name }: Registrant,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const existing = await readPasskeys(ctx.db, { tenant_id, member_id })
  const { generateRegistrationOptions } = await loadWebAuthn()
  return generateRegistrationOptions({
    rpName: 'Vidimus',
    rpID: relyingParty(ctx.config).rpID,
    // A passkey's response contains it, so that a router can find the cell of a person who is not signed in.
    userID: new TextEncoder().encode(ctx.config.CELL + member_id),
    userName: email,
    userDisplayName: name,
    challenge: await newChallenge(ctx, challengePurpose(member_id)),
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

/** Verifies a registration response. Pure computation: nothing is stored yet. */
export async function checkRegistration(
  { config, keyring }: Pick<Context, 'config' | 'keyring'>,
  member_id: string,
  given: unknown,
): Promise<VerifiedPasskey> {
  const response = readRegistration(given)
  await refuseAttestation(response)
  const { rpID, origin } = relyingParty(config)
  const { verifyRegistrationResponse } = await loadWebAuthn()
  let challenge: SignedChallenge | undefined
  const verified = await verifyRegistrationResponse({
    response,
    expectedOrigin: origin,
    expectedRPID: rpID,
    expectedChallenge: (signed) =>
      (challenge = readChallenge(keyring, challengePurpose(member_id), signed)) !== undefined,
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

/** Stores a verified passkey, in the transaction that established its owner. */
export async function savePasskey(
  tx: Db,
  { challenge, ...key }: VerifiedPasskey,
  owner: { tenant_id: string; member_id: string; name: string },
): Promise<void> {
  const saved =
    (await spendChallenge(tx, challenge)) && (await insertPasskey(tx, { ...key, ...owner }, maxPasskeys))
  if (!saved) throw signInFailed()
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

function challengePurpose(member_id: string): string {
  return `register ${member_id}`
}
