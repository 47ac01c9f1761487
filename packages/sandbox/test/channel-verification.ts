import { sign } from 'node:crypto'
import * as protocol from '@vidimus/protocol'
import type { AnyQuery } from '@vidimus/protocol'
import { readAgeAppUri } from '../src/wallet/age-app/read-uri.ts'
import type { Channel, WalletRequest } from '../src/wallet/authorization-request.ts'
import { chooseDcApiRequest, type DcApiChannel } from '../src/wallet/dc-api/choose-request.ts'
import type { Violation } from '../src/wallet/violation.ts'
import { createAccessIdentity } from './access-identity.ts'
import {
  createSecrets,
  createVerify,
  openProtocolVerification,
  toSeconds,
  type ProtocolVerificationOptions,
  type VerifyForm,
} from './protocol-verification.ts'

export type ChannelVerification = { request: WalletRequest; verify: VerifyForm }

const origin = 'https://shop.example'

/** A verification of the real verifier on any channel. The wallet has checked the request that the verifier built. */
export async function openChannelVerification(
  channel: Channel,
  options: ProtocolVerificationOptions,
): Promise<ChannelVerification> {
  if (channel === 'redirect') return openProtocolVerification(options)
  return channel === 'age_app' ? openAgeAppVerification(options) : openDcVerification(channel, options)
}

function openAgeAppVerification(options: ProtocolVerificationOptions): ChannelVerification {
  const { nonce, state } = createSecrets()
  const response_uri = 'https://verifier.example/response?via=age_app'
  const dcql_query = toPlainQuery(options)
  const uri = protocol.buildAgeAppUri({ response_uri, nonce, state, dcql_query })
  const client_id = protocol.ageAppClientId(response_uri)
  return {
    request: requireChecked(readAgeAppUri(uri ?? '')),
    verify: createVerify(options, {
      verification: { channel: 'age_app', state },
      binding: { channel: 'redirect', client_id, nonce, response_uri },
    }),
  }
}

async function openDcVerification(
  channel: DcApiChannel,
  options: ProtocolVerificationOptions,
): Promise<ChannelVerification> {
  const { now } = options
  const identity = createAccessIdentity(now)
  const { encryption_key, nonce } = createSecrets()
  const dcql_query = toPlainQuery(options)
  const signer = async (bytes: Uint8Array) =>
    sign('sha256', bytes, { key: identity.key.private_key, dsaEncoding: 'ieee-p1363' })
  const verifierIdentity = protocol.identifyVerifier({ certificates: [identity.leaf], prefix: 'x509_hash' })
  const signed = await protocol.signRequest(
    protocol.buildDcApiRequest({
      client_id: verifierIdentity.client_id,
      origin,
      nonce,
      dcql_query,
      encryption_jwk: encryption_key.jwk,
      issued_at: toSeconds(now),
      expires_at: toSeconds(now) + 300,
    }),
    verifierIdentity,
    signer,
  )
  const reader = { x5c: verifierIdentity.x5c, sign: signer }
  const annexC = await protocol.buildAnnexCRequest({ dcql_query, nonce, encryption_key, origin, reader })
  const requests = [
    { protocol: protocol.dcProtocols.dc_api, data: { request: signed } },
    ...(annexC === undefined ? [] : [{ protocol: protocol.dcProtocols.annex_c, data: annexC }]),
  ]
  const input = { origin, channel, now, verifier_anchors: [identity.root] }
  const request = requireChecked(await chooseDcApiRequest(requests, input))
  if (channel === 'dc_api') {
    const encryption_key_thumbprint = encryption_key.thumbprint
    return {
      request,
      verify: createVerify(options, {
        verification: { channel, encryption_key },
        binding: { channel, origin, nonce, encryption_key_thumbprint },
      }),
    }
  }
  const encryption_info = protocol.buildEncryptionInfo({ nonce, encryption_key })
  return {
    request,
    verify: createVerify(options, {
      verification: { channel, origin, encryption_info, encryption_key, dcql_query },
      binding: { channel, origin, encryption_info },
    }),
  }
}

/** Plain JSON, as read from the database. */
function toPlainQuery({ query }: ProtocolVerificationOptions): AnyQuery {
  return JSON.parse(JSON.stringify(query))
}

function requireChecked<T>({ request, violations }: { request?: T; violations: Violation[] }): T {
  if (request === undefined) throw new Error(`the wallet rejects the request: ${JSON.stringify(violations)}`)
  return request
}
