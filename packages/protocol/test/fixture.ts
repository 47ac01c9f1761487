import type {
  Anchor,
  RedirectBinding,
  ResponseBinding,
  StatusListToken,
  VerificationContext,
} from '../src/presentation.ts'
import {
  fixedNow,
  makeCertificate,
  makeKey,
  mdlSignerOid,
  type IssuedCertificate,
  type KeyPair,
} from './certificates.ts'

/** An authority, a document signer certified by it, a holder, and the context of a request. */
export type CredentialFixture = {
  authority: IssuedCertificate
  signer: IssuedCertificate
  holder: KeyPair
  context: VerificationContext
}

export const typeNames = { vct: 'urn:example:membership', mdl: 'org.iso.18013.5.1.mDL' } as const

export const redirectBinding = {
  channel: 'redirect',
  client_id: 'x509_hash:Uvo3HtuIxuhC92rShpgqcT3YXwrqRxWEviRiA0OZszk',
  nonce: 'exc7gBkxjx1rdc9udRrveKvSsJIq80avlXeLHhGwqtA',
  response_uri: 'https://verifier.example/response',
  encryption_key_thumbprint: 'TqOzPzMZ3XB3M5b6SdVYi0lzD4qg5VRv5mHFQvL5R8Q',
} as const satisfies RedirectBinding

/** The fixture for a request on another channel, or with other parts. */
export function withBinding(fixture: CredentialFixture, binding: ResponseBinding): CredentialFixture {
  const { context } = fixture
  return { ...fixture, context: { ...context, request: { ...context.request, binding } } }
}

export function makeFixture(): CredentialFixture {
  const authority = makeCertificate({ authority: true, common_name: 'Test Authority', path_length: 1 })
  const purposes = { critical: true, oids: [mdlSignerOid] }
  const signer = makeCertificate({ issuer: authority, common_name: 'Test Signer', purposes })
  return { authority, signer, holder: makeKey(), context: makeContext([{ certificate: authority.der }]) }
}

export function makeContext(
  anchors: Anchor[],
  lists: Record<string, StatusListToken> = {},
): VerificationContext {
  return {
    request: {
      binding: redirectBinding,
      created_at: fixedNow - 30,
      dcql_query: { credentials: [] },
    },
    trust: { anchors, lookUpStatus: async (uri) => lists[uri], status_unavailable: 'fail' },
    now: fixedNow,
  }
}
