import { createHash } from 'node:crypto'
import type { KeyPair } from './certificates.ts'
import { fixedNow, year_seconds } from './certificates.ts'
import type { ResponseBinding } from '../src/presentation.ts'
import { typeNames, type CredentialFixture } from './fixture.ts'
import { encodeJson, joseAlg, publicJwk, signJws } from './sign.ts'

export type SdJwtOptions = {
  /** Each becomes a digest in `_sd` and a disclosure. */
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  payload?: Record<string, unknown>
  /** Replaces the disclosures that are sent. */
  disclosures?: string[]
  signer?: KeyPair
  chain?: Buffer[]
  proof?: { header?: Record<string, unknown>; payload?: Record<string, unknown>; key?: KeyPair }
  /** Replaces the whole proof. */
  key_binding_jwt?: string
}

/** A valid presentation, except for what the options change. */
export function presentSdJwt(fixture: CredentialFixture, options: SdJwtOptions = {}): string {
  const {
    claims = { given_name: 'Erika', age: 42 },
    signer = fixture.signer,
    chain = [fixture.signer.der],
  } = options
  const ownDisclosures = Object.entries(claims).map(([name, value]) => disclose(name, value))
  const header = {
    alg: joseAlg(signer),
    typ: 'dc+sd-jwt',
    x5c: chain.map((certificate) => certificate.toString('base64')),
    ...options.header,
  }
  const payload = {
    vct: typeNames.vct,
    iss: 'https://issuer.example',
    nbf: fixedNow - year_seconds,
    exp: fixedNow + year_seconds,
    cnf: { jwk: publicJwk(fixture.holder) },
    _sd_alg: 'sha-256',
    _sd: ownDisclosures.map(digest),
    ...options.payload,
  }
  const text = [signJws(header, payload, signer), ...(options.disclosures ?? ownDisclosures), ''].join('~')
  return text + (options.key_binding_jwt ?? signKeyBinding(fixture, text, options.proof))
}

export function disclose(...parts: unknown[]): string {
  return encodeJson(['test-salt', ...parts])
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** OpenID4VP 1.0 §14.1.2 and §A.4. On Annex C and nearby, where no SD-JWT is carried: what a confused wallet might sign. */
function boundClaims(binding: ResponseBinding): { nonce: string; aud: string } {
  switch (binding.channel) {
    case 'redirect':
      return { nonce: binding.nonce, aud: binding.client_id }
    case 'dc_api':
      return { nonce: binding.nonce, aud: `origin:${binding.origin}` }
    case 'annex_c':
      return { nonce: binding.encryption_info, aud: `origin:${binding.origin}` }
    case 'proximity':
      return { nonce: Buffer.from(binding.transcript).toString('base64url'), aud: 'reader' }
  }
}

function signKeyBinding(
  { holder, context }: CredentialFixture,
  text: string,
  options: SdJwtOptions['proof'] = {},
): string {
  const { key = holder } = options
  const { binding } = context.request
  const header = { alg: joseAlg(key), typ: 'kb+jwt', ...options.header }
  const payload = { ...boundClaims(binding), iat: fixedNow - 5, sd_hash: digest(text), ...options.payload }
  return signJws(header, payload, key)
}
