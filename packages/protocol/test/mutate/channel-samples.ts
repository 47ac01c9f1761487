import { randomBytes } from 'node:crypto'
import { CompactEncrypt, importJWK } from 'jose'
import { buildEncryptionInfo } from '../../src/annex-c/encryption-info.ts'
import type { DcApiBinding, ResponseBinding, VerificationContext } from '../../src/presentation.ts'
import { makeEncryptionKey } from '../../src/request/make-encryption-key.ts'
import type { ExpectedResponse } from '../../src/response/expected-response.ts'
import { encryptDeviceResponse } from '../annex-c.ts'
import { makeFixture, withBinding } from '../fixture.ts'
import {
  dcql_query,
  makeValidPresentations,
  type ValidPresentation,
  type ValidPresentations,
} from './valid-presentations.ts'

/** A valid presentation for a verification of the Digital Credentials API, and what a wallet does to send it. */
export type ChannelSample = ValidPresentation & {
  protocol: string
  binding: ResponseBinding
  verification: ExpectedResponse
  context: VerificationContext
  presentFor: (binding: ResponseBinding) => string
  /** What is encrypted: JSON or a DeviceResponse. */
  buildPlaintext: (presentation: string) => Buffer
  /** Encrypts for the session; on Annex C with the transcript of this binding. */
  encrypt: (plaintext: Buffer, binding: ResponseBinding) => Promise<string>
}

/** Both formats over OpenID4VP, and an mdoc over Annex C. */
export async function makeChannelSamples(): Promise<ChannelSample[]> {
  return [...(await makeDcApiSamples()), ...makeAnnexCSamples()]
}

const origin = 'https://shop.example'

async function makeDcApiSamples(): Promise<ChannelSample[]> {
  const encryption_key = makeEncryptionKey(randomBytes(48))
  const { jwk, thumbprint } = encryption_key
  const publicKey = await importJWK({ ...jwk }, 'ECDH-ES')
  const binding: DcApiBinding = {
    channel: 'dc_api',
    origin,
    nonce: randomBytes(32).toString('base64url'),
    encryption_key_thumbprint: thumbprint,
  }
  const valid = makeValidPresentations(binding)
  return valid.presentations.map((presentation) => ({
    ...describeSample(valid, presentation, binding),
    protocol: 'openid4vp-v1-signed',
    verification: { channel: 'dc_api', encryption_key },
    buildPlaintext: (text) => Buffer.from(JSON.stringify({ vp_token: { [presentation.id]: [text] } })),
    encrypt: (plaintext) =>
      new CompactEncrypt(plaintext)
        .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A128GCM', kid: jwk.kid })
        .encrypt(publicKey),
  }))
}

function makeAnnexCSamples(): ChannelSample[] {
  const encryption_key = makeEncryptionKey(randomBytes(48))
  const nonce = randomBytes(32).toString('base64url')
  const binding = {
    channel: 'annex_c',
    origin,
    encryption_info: buildEncryptionInfo({ nonce, encryption_key }),
  } as const
  const verification = { ...binding, encryption_key, dcql_query }
  const valid = makeValidPresentations(binding)
  const fixture = makeFixture()
  return valid.presentations
    .filter(({ id }) => id === 'licence')
    .map((presentation) => ({
      ...describeSample(valid, presentation, binding),
      protocol: 'org-iso-mdoc',
      verification,
      buildPlaintext: (text) => Buffer.from(text, 'base64url'),
      encrypt: async (plaintext, signed) =>
        encryptDeviceResponse(plaintext, verification, withBinding(fixture, signed)),
    }))
}

function describeSample(
  { context, presentFor }: ValidPresentations,
  presentation: ValidPresentation,
  binding: ResponseBinding,
) {
  return {
    ...presentation,
    context,
    binding,
    presentFor: (other: ResponseBinding) => presentFor(presentation.id, other),
  }
}
