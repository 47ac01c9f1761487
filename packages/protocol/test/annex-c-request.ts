import { buildAnnexCRequest, type AnnexCRequestInput } from '../src/annex-c/build-request.ts'
import { expectArray, expectEncodedCbor, expectMap } from '../src/cbor/expect.ts'
import { readCbor } from '../src/cbor/read.ts'
import type { AnyQuery } from '../src/dcql/query.ts'
import { dcApiVector } from './dc-api-vectors.ts'
import { encryptionKeyWith } from './encryption-key.ts'

/** The key and the nonce of the published request. */
export const encryption_key = encryptionKeyWith(
  dcApiVector('annex-c-deterministic').input.recipient_private_key_hex ?? '',
)
export const nonce = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex').toString('base64url')
export const origin = 'https://verifier.example'

/** A credential of a query, with claims of one namespace. */
export const mdoc = (id: string, doctype_value: string, nameSpace: string, ...names: string[]) => ({
  id,
  format: 'mso_mdoc',
  meta: { doctype_value },
  claims: names.map((name) => ({ path: [nameSpace, name], intent_to_retain: false })),
})
export const licence = mdoc('mdl', 'org.iso.18013.5.1.mDL', 'org.iso.18013.5.1', 'age_over_18')
export const proofOfAge = mdoc('av', 'eu.europa.ec.av.1', 'eu.europa.ec.av.1', 'age_over_18')

/** The request for a query with the members above. */
export const buildRequestFor = (dcql_query: AnyQuery, members: Partial<AnnexCRequestInput> = {}) =>
  buildAnnexCRequest({ dcql_query, nonce, encryption_key, origin, ...members })

/** A DeviceRequest as a map, with the decoded DeviceRequestInfo and the `requestInfo` of each document. */
export async function readRequest(query: AnyQuery, members: Partial<AnnexCRequestInput> = {}) {
  const request = await buildRequestFor(query, members)
  const decoded = expectMap(readCbor(Buffer.from(request?.deviceRequest ?? '', 'base64url')), '')
  const info = decoded.get('deviceRequestInfo')
  const documents = expectArray(decoded.get('docRequests'), 'docRequests').map((docRequest) =>
    expectMap(
      readCbor(expectEncodedCbor(expectMap(docRequest, '').get('itemsRequest'), 'itemsRequest').content),
      '',
    ),
  )
  return {
    request,
    decoded,
    version: decoded.get('version'),
    info: info === undefined ? undefined : expectEncodedCbor(info, 'deviceRequestInfo').content,
    alternatives: documents.map((document) => {
      const requestInfo = document.get('requestInfo')
      return requestInfo === undefined ? undefined : expectMap(requestInfo, '').get('alternativeDataElements')
    }),
  }
}

/** The DeviceRequestInfo of a request with these use cases. */
export const useCases = (...cases: [mandatory: boolean, ...documentSets: number[][]][]) =>
  new Map([
    [
      'useCases',
      cases.map(
        ([mandatory, ...documentSets]) =>
          new Map<string, unknown>([
            ['mandatory', mandatory],
            ['documentSets', documentSets],
          ]),
      ),
    ],
  ])
