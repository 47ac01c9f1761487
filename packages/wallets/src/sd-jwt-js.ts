import { createHash, createPublicKey, randomBytes, sign, verify, type KeyObject } from 'node:crypto'
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc'
import type { Issuer, SigningKey } from '@vidimus/sandbox'
import { pid } from './credential.ts'

export type KeyBindingOptions = { client_id: string; nonce: string }

/** Issues a PID with `@sd-jwt/sd-jwt-vc` and one of the sandbox's signers. */
export async function issueSdJwtVc(issuer: Issuer, holderKey: SigningKey, now: Date): Promise<string> {
  const { chain } = issuer.signers.pid
  const seconds = Math.floor(now.getTime() / 1000)
  return createSdJwtIssuer(issuer).issue(
    {
      ...structuredClone(pid.claims),
      vct: pid.type,
      iat: seconds,
      exp: seconds + 86_400,
      cnf: { jwk: holderKey.public_key.export({ format: 'jwk' }) },
    },
    { ...structuredClone<object>(pid.disclosureFrame), _sd_decoy: 2 },
    { header: { x5c: chain.map((certificate) => Buffer.from(certificate).toString('base64')) } },
  )
}

export async function presentSdJwtVc(
  credential: string,
  { client_id, nonce }: KeyBindingOptions,
  holderKey: SigningKey,
): Promise<string> {
  return createInstance({ kbSigner: createSigner(holderKey.private_key), kbSignAlg: 'ES256' }).present(
    credential,
    { given_name: true, nationalities: { 0: true }, address: { locality: true } },
    { kb: { payload: { aud: client_id, nonce, iat: Math.floor(Date.now() / 1000) } } },
  )
}

/** The library as an issuer, with the key of one of the sandbox's signers. */
export function createSdJwtIssuer({ signers }: Issuer): SDJwtVcInstance {
  return createInstance({ signer: createSigner(signers.pid.key.private_key), signAlg: 'ES256' })
}

/** The library without keys: it presents without key binding and reconstructs claims. */
export function createSdJwtReader(): SDJwtVcInstance {
  return createInstance({})
}

/** The library as a verifier. The caller provides the issuer's key; the holder's key is in the credential. */
export function createSdJwtVerifier(issuerKey: KeyObject): SDJwtVcInstance {
  return createInstance({
    verifier: (signed, signature) => verifySignature(issuerKey, signed, signature),
    kbVerifier: (signed, signature, { cnf }) =>
      verifySignature(createPublicKey({ key: { ...cnf?.jwk }, format: 'jwk' }), signed, signature),
  })
}

function createInstance(options: Partial<ConstructorParameters<typeof SDJwtVcInstance>[0]>): SDJwtVcInstance {
  return new SDJwtVcInstance({
    ...options,
    hashAlg: 'sha-256',
    hasher: (data, algorithm) =>
      createHash(algorithm.replace('-', ''))
        .update(typeof data === 'string' ? data : Buffer.from(data))
        .digest(),
    saltGenerator: (length) => randomBytes(length).toString('base64url'),
  })
}

function createSigner(key: KeyObject) {
  return (data: string) =>
    sign('sha256', Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
}

function verifySignature(key: KeyObject, signed: string, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64url')
  return verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, bytes)
}
