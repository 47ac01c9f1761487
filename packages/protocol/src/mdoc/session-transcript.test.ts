import { hash } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { expect, test } from 'vitest'
import { dcApiVector } from '../../test/dc-api-vectors.ts'
import { handovers } from '../../test/published-examples.ts'
import { type CborParts, writeCbor } from '../cbor/write.ts'
import { buildSessionTranscript } from './session-transcript.ts'

const { nonce, client_id, response_uri, origin } = handovers
const encryption_key_thumbprint = await calculateJwkThumbprint(handovers.jwk)

const redirect = {
  channel: 'redirect',
  client_id,
  nonce,
  response_uri,
  encryption_key_thumbprint,
} as const

test('[OID4VP-27] reproduces the specified handover', () => {
  const transcript = buildSessionTranscript(redirect)
  expect(transcript.toString('hex')).toBe(handovers.transcript)
})

test('[OID4VP-27] reproduces the specified handover for the Digital Credentials API', () => {
  const transcript = buildSessionTranscript({ channel: 'dc_api', origin, nonce, encryption_key_thumbprint })
  expect(transcript.toString('hex')).toBe(handovers.dc_api_transcript)
})

test.each(['annex-c-transcript-small', 'annex-c-deterministic'])('reproduces %s', (id) => {
  const { input, expected } = dcApiVector(id)
  const { origin: published = '', encryption_info_b64url: encryption_info = '' } = input
  const transcript = buildSessionTranscript({ channel: 'annex_c', origin: published, encryption_info })
  expect(transcript.toString('hex')).toBe(expected.session_transcript_cbor_hex)
})

test('the origin of an app is in both handovers as it is', () => {
  const app = `android:apk-key-hash:${'A'.repeat(43)}`
  const hashOf = (info: unknown[]) => hash('sha256', writeCbor(info as CborParts[]), 'hex')
  const dcApi = buildSessionTranscript({ channel: 'dc_api', origin: app, nonce, encryption_key_thumbprint })
  expect(dcApi.toString('hex')).toContain(
    hashOf([app, nonce, Buffer.from(encryption_key_thumbprint, 'base64url')]),
  )
  const annexC = buildSessionTranscript({ channel: 'annex_c', origin: app, encryption_info: 'oA' })
  expect(annexC.toString('hex')).toContain(hashOf(['oA', app]))
})

test('reproduces openid4vp-dcapi-handover', () => {
  const { input, expected } = dcApiVector('openid4vp-dcapi-handover')
  const thumbprint = Buffer.from(expected.jwk_thumbprint_sha256_hex ?? '', 'hex').toString('base64url')
  expect(encryption_key_thumbprint).toBe(thumbprint)
  const binding = {
    channel: 'dc_api',
    origin: input.origin ?? '',
    nonce: input.nonce ?? '',
    encryption_key_thumbprint: thumbprint,
  } as const
  expect(buildSessionTranscript(binding).toString('hex')).toBe(expected.session_transcript_cbor_hex)
})

test('[OID4VP-27] depends on every part, and on whether the response was encrypted', () => {
  const transcripts = [
    redirect,
    { ...redirect, client_id: 'other' },
    { ...redirect, nonce: 'other' },
    { ...redirect, response_uri: 'https://other.example' },
    { ...redirect, encryption_key_thumbprint: 'AAAA' },
    { channel: 'redirect' as const, client_id, nonce, response_uri },
  ].map((each) => buildSessionTranscript(each).toString('hex'))
  expect(new Set(transcripts).size).toBe(transcripts.length)
})
