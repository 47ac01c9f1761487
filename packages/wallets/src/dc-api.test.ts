import { randomBytes } from 'node:crypto'
import { oid4vp } from '@digitalbazaar/oid4-client'
import { DeviceRequest, Holder, SessionTranscript, type IssuerSigned } from '@owf/mdoc'
import {
  buildAnnexCRequest,
  buildDcApiRequest,
  buildSessionTranscript,
  makeEncryptionKey,
  openResponse,
  verifyPresentation,
  type ResponseBinding,
} from '@vidimus/protocol'
import {
  createIssuer,
  exportAnchors,
  generateSigningKey,
  serveStatusList,
  type Format,
} from '@vidimus/sandbox'
import { describe, expect, test } from 'vitest'
import { claims, queries } from '../test/queries.ts'
import { context, issueMdl, toCoseKey } from './owf-mdoc.ts'
import { issueSdJwtVc, presentSdJwtVc } from './sd-jwt-js.ts'

const now = new Date()
const seconds = Math.floor(now.getTime() / 1000)
const issuer = createIssuer({ now })
const origin = 'https://shop.example'
const nonce = randomBytes(32).toString('base64url')
const encryption_key = makeEncryptionKey(randomBytes(48))
const encryption_key_thumbprint = encryption_key.thumbprint
const binding = { channel: 'dc_api', origin, nonce, encryption_key_thumbprint } as const

const trust = {
  anchors: exportAnchors(issuer),
  lookUpStatus: async (uri: string) => serveStatusList(issuer, uri, now),
  status_unavailable: 'fail' as const,
}

/** Signed for an origin by the library of the format. */
async function present(format: Format, signedOrigin: string): Promise<string> {
  const key = generateSigningKey()
  if (format === 'dc+sd-jwt') {
    const credential = await issueSdJwtVc(issuer, key, now)
    return presentSdJwtVc(credential, { client_id: `origin:${signedOrigin}`, nonce }, key)
  }
  const sessionTranscript = await SessionTranscript.forOid4VpDcApi(
    {
      origin: signedOrigin,
      nonce,
      jwkThumbprint: Buffer.from(encryption_key_thumbprint, 'base64url'),
    },
    context,
  )
  const issuerSigned: IssuerSigned = await issueMdl(issuer, key, now)
  const response = await Holder.createDeviceResponseForDeviceRequest(
    {
      deviceRequest: await readDeviceRequest(),
      sessionTranscript,
      issuerSigned: [issuerSigned],
      signature: { signingKey: toCoseKey(key) },
    },
    context,
  )
  return response.encodedForOid4Vp
}

/** The library reads the DeviceRequest of Annex C; over OpenID4VP it only says which elements to disclose. */
async function readDeviceRequest(registration?: string): Promise<DeviceRequest> {
  const dcql_query = queries.mso_mdoc
  const request = await buildAnnexCRequest({ dcql_query, nonce, encryption_key, origin, registration })
  return DeviceRequest.decode(Buffer.from(request?.deviceRequest ?? '', 'base64url'))
}

async function verifyFor(format: Format, presentation: string, bound: ResponseBinding) {
  const [{ id } = { id: '' }] = queries[format].credentials
  const authorizationRequest = buildDcApiRequest({
    client_id: 'x509_hash:abc',
    origin,
    nonce,
    dcql_query: queries[format],
    encryption_jwk: encryption_key.jwk,
    issued_at: seconds,
    expires_at: seconds + 300,
  })
  const { authorizationResponse } = await oid4vp.authzResponse.create({
    authorizationRequest,
    vpToken: { [id]: [presentation] },
    vpTokenMediaType: format === 'mso_mdoc' ? 'application/mdl-vp-token' : 'application/vp-token',
    encryptionOptions:
      format === 'mso_mdoc' ? { mdl: { handover: { type: 'OpenID4VPDCAPIHandover', origin, nonce } } } : {},
  })
  const form = new URLSearchParams({ protocol: 'openid4vp-v1-signed', ...authorizationResponse })
  const opened = openResponse(form.toString(), { channel: 'dc_api', encryption_key })
  if (opened.kind !== 'presentation') return opened
  const request = { binding: bound, created_at: seconds, dcql_query: queries[format] }
  return verifyPresentation(request, opened.vp_token, trust, seconds)
}

describe.each(['dc+sd-jwt', 'mso_mdoc'] as const)('%s of independent libraries', (format) => {
  test('is accepted over the Digital Credentials API, encrypted by oid4-client', async () => {
    const presentation = await present(format, origin)
    expect(await verifyFor(format, presentation, binding)).toMatchObject({
      status: 'completed',
      claims: claims[format],
    })
  })

  test('is refused for another origin', async () => {
    const presentation = await present(format, 'https://other.example')
    expect(await verifyFor(format, presentation, binding)).toMatchObject({
      status: 'failed',
      error: { code: 'holder_binding_invalid' },
    })
  })
})

test('@owf/mdoc builds the same session transcript', async () => {
  const jwkThumbprint = Buffer.from(encryption_key_thumbprint, 'base64url')
  const transcript = await SessionTranscript.forOid4VpDcApi({ origin, nonce, jwkThumbprint }, context)
  expect(Buffer.from(transcript.encode())).toEqual(buildSessionTranscript(binding))
})

test('@owf/mdoc reads the DeviceRequest of Annex C', async () => {
  const { version, docRequests } = await readDeviceRequest()
  expect(version).toBe('1.0')
  expect(docRequests.map(({ itemsRequest }) => [itemsRequest.docType, itemsRequest.namespaces])).toEqual([
    [
      'org.iso.18013.5.1.mDL',
      new Map([
        [
          'org.iso.18013.5.1',
          new Map(['given_name', 'age_over_18', 'birth_date'].map((name) => [name, true])),
        ],
      ]),
    ],
  ])
})

test('@owf/mdoc reads the same documents beside a registration certificate', async () => {
  const [plain, registered] = await Promise.all([
    readDeviceRequest(),
    readDeviceRequest('eyJ0eXAiOiJyYy13cnArand0In0.e30.c2ln'),
  ])
  const list = ({ docRequests }: DeviceRequest) =>
    docRequests.map(({ itemsRequest }) => [itemsRequest.docType, itemsRequest.namespaces])
  expect(list(registered)).toEqual(list(plain))
})
