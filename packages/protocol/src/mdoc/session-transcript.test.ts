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
  const handover = { client_id, nonce, response_uri, encryption_key_thumbprint }
  const transcripts = [
    handover,
    { ...handover, client_id: 'other' },
    { ...handover, nonce: 'other' },
    { ...handover, response_uri: 'https://other.example' },
    { ...handover, encryption_key_thumbprint: 'AAAA' },
    { client_id, nonce, response_uri },
  ].map((each) => buildSessionTranscript(each).toString('hex'))
  expect(new Set(transcripts).size).toBe(transcripts.length)
})
