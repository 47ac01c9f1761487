import { expect, test } from 'vitest'
import { annexC, handovers } from '../../test/published-vectors.ts'
import { encodeCbor } from '../cbor/encode.ts'
import type { WalletRequest } from './authorization-request.ts'
import { bindToRequest, keyBindingAudience, sessionTranscript } from './verification-binding.ts'

const { nonce, jwk } = handovers
const dcql_query = { credentials: [] }
const encryption = { jwk, enc_values: ['A128GCM'] }
const redirect = {
  channel: 'redirect',
  client_id: 'x509_san_dns:example.com',
  nonce,
  response_uri: 'https://example.com/response',
  dcql_query,
  encryption,
  expires_at: 0,
} as const satisfies WalletRequest
const dcApi = {
  channel: 'dc_api',
  client_id: 'x509_san_dns:example.com',
  nonce,
  origin: 'https://example.com',
  dcql_query,
  encryption,
  expires_at: 0,
} as const satisfies WalletRequest

async function transcriptOf(request: WalletRequest): Promise<string> {
  return Buffer.from(encodeCbor(sessionTranscript(await bindToRequest(request)))).toString('hex')
}

test('OpenID4VP 1.0 annex B.2.6.1: the session transcript matches the published example byte for byte', async () => {
  expect(await transcriptOf(redirect)).toBe(handovers.redirect)
})

test('OpenID4VP 1.0 annex B.2.6.2: the same over the Digital Credentials API', async () => {
  expect(await transcriptOf(dcApi)).toBe(handovers.dc_api)
})

test('annex C: the session transcript matches the published one', async () => {
  const { origin, encryption_info } = annexC
  const recipient_key = { kty: 'EC', crv: 'P-256', x: '', y: '' }
  const request = { channel: 'annex_c', origin, encryption_info, nonce, recipient_key, dcql_query } as const

  expect(await transcriptOf(request)).toBe(annexC.transcript)
})

test('[DC-12] the age app binds to the client identifier, and to no key', async () => {
  const { client_id, response_uri } = redirect
  const binding = await bindToRequest({ channel: 'age_app', client_id, nonce, response_uri, dcql_query })

  expect(binding).toEqual({ kind: 'client', client_id, nonce, response_uri, thumbprint: null })
})

test('the audience is the client identifier, or over the Digital Credentials API the origin', async () => {
  expect(keyBindingAudience(await bindToRequest(redirect))).toBe('x509_san_dns:example.com')
  expect(keyBindingAudience(await bindToRequest(dcApi))).toBe('origin:https://example.com')
})
