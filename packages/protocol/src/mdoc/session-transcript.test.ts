import { calculateJwkThumbprint } from 'jose'
import { expect, test } from 'vitest'
import { handovers } from '../../test/published-examples.ts'
import { buildDcApiSessionTranscript, buildSessionTranscript } from './session-transcript.ts'

const { nonce, client_id, response_uri, origin } = handovers
const encryption_key_thumbprint = await calculateJwkThumbprint(handovers.jwk)

test('line 27: the handover of the specification comes out', () => {
  const transcript = buildSessionTranscript({ client_id, nonce, response_uri, encryption_key_thumbprint })
  expect(transcript.toString('hex')).toBe(handovers.transcript)
})

test('line 27: the handover of the Digital Credentials API comes out', () => {
  const transcript = buildDcApiSessionTranscript({ origin, nonce, encryption_key_thumbprint })
  expect(transcript.toString('hex')).toBe(handovers.dc_api_transcript)
})

test('line 27: every part counts, and so does whether the answer was encrypted', () => {
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
