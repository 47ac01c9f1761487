import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { verifyDeviceResponse } from './verify.ts'

/** Responses of real wallets, which may not be published here. WALLET_CAPTURES names the file. */
type Capture = {
  name: string
  doc_type: string
  valid_at: string
  session_transcript_hex: string
  device_response: string
  trust_anchors_der_base64: string[]
}

const file = process.env['WALLET_CAPTURES']
const captures: Capture[] = file === undefined ? [] : JSON.parse(readFileSync(file, 'utf8'))

if (file === undefined) console.log('WALLET_CAPTURES is not set: skipping the responses of real wallets')

describe.runIf(file !== undefined)(
  '[OID4VP-24] [OID4VP-25] [OID4VP-26] [OID4VP-27] [OID4VP-28] accepts the response of a real wallet',
  () => {
    test.each(captures)('$name', (capture) => {
      const anchors = capture.trust_anchors_der_base64.map((der) => ({
        certificate: Buffer.from(der, 'base64'),
      }))
      const credential = verifyDeviceResponse(
        capture.device_response,
        Buffer.from(capture.session_transcript_hex, 'hex'),
        {
          trust: { anchors, lookUpStatus: async () => undefined, status_unavailable: 'fail' },
          now: Date.parse(capture.valid_at) / 1000,
        },
      )
      expect(credential).toMatchObject({
        doctype_or_vct: capture.doc_type,
        trusted: true,
        signature_valid: true,
        holder_binding_valid: true,
      })
      expect(credential.findings.filter(({ status }) => status === 'fail')).toEqual([])
    })
  },
)
