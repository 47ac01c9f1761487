import { calculateJwkThumbprint } from 'jose'
import { expect, test } from 'vitest'
import { handovers } from '../../test/published-examples.ts'
import { buildDcApiSessionTranscript, buildSessionTranscript } from './session-transcript.ts'

const { nonce, client_id, response_uri, origin } = handovers
const encryption_key_thumbprint = await calculateJwkThumbprint(handovers.jwk)

test('[OID4VP-27] reproduces the specified handover', () => {
  const transcript = buildSessionTranscript({ client_id, nonce, response_uri, encryption_key_thumbprint })
  expect(transcript.toString('hex')).toBe(handovers.transcript)
})

test('[OID4VP-27] reproduces the specified handover for the Digital Credentials API', () => {
  const transcript = buildDcApiSessionTranscript({ origin, nonce, encryption_key_thumbprint })
  expect(transcript.toString('hex')).toBe(handovers.dc_api_transcript)
})

test('[OID4VP-27] depends on every part, and on whether the response was encrypted', () => {
  const right = { client_id, nonce, response_uri, encryption_key_thumbprint }
  const transcripts = [
    right,
    { ...right, client_id: 'other' },
    { ...right, nonce: 'other' },
    { ...right, response_uri: 'https://other.example' },
    { ...right, encryption_key_thumbprint: 'AAAA' },
    { client_id, nonce, response_uri },
  ].map((handover) => buildSessionTranscript(handover).toString('hex'))
  expect(new Set(transcripts).size).toBe(transcripts.length)
})
