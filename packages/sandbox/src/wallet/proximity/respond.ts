import { checkDeviceRequest } from '../annex-c/check-request.ts'
import type { ProximityRequest } from '../authorization-request.ts'
import type { AnnexCReading } from '../dc-api/check-request.ts'
import { selectForWallet } from '../build-response.ts'
import { presentAsDocument } from '../present-credential.ts'
import { encodeDeviceResponse } from '../present-mdoc.ts'
import { sessionTranscript } from '../verification-binding.ts'
import type { Violation } from '../violation.ts'
import type { Wallet } from '../wallet.ts'
import type { ProximitySession } from './session.ts'

export type RespondNearbyOptions = {
  wallet: Wallet
  session: ProximitySession
  /** As the reader sent it, in base64url. */
  device_request: string
  now: Date
  /** How the device authenticates. Many do so with a MAC here. */
  authentication?: 'signature' | 'mac'
  verifier_anchors?: readonly Uint8Array[]
  annex_c_reading?: AnnexCReading
}

export type NearbyResponse = { device_response: string } | { violations: readonly Violation[] }

/** Responds as a device nearby: checks the reader's request for this session, and returns a DeviceResponse in base64url. */
export async function respondNearby(options: RespondNearbyOptions): Promise<NearbyResponse> {
  const { wallet, session, device_request, now, authentication = 'signature' } = options
  const verification = { kind: 'proximity', session, authentication } as const
  const checked = await checkDeviceRequest(device_request, {
    session_transcript: sessionTranscript(verification),
    now,
    verifier_anchors: options.verifier_anchors,
    annex_c_reading: options.annex_c_reading,
  })
  if (checked.violations.length > 0) return { violations: checked.violations }
  const request: ProximityRequest = { channel: 'proximity', session, dcql_query: checked.dcql_query }
  const context = { issuer: wallet.issuer, now, request }
  const selections = selectForWallet(wallet, request.dcql_query) ?? []
  const presented = selections.flatMap(
    (selection) => presentAsDocument({ wallet, selection, verification, context }) ?? [],
  )
  const alterFirst = presented[0]?.alter
  const encoded = encodeDeviceResponse(
    presented.map(({ document }) => document),
    alterFirst,
  )
  return { device_response: alterFirst?.('presentation', encoded) ?? encoded }
}
