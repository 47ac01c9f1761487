import { createHash } from 'node:crypto'
import { expectEncodedCbor, expectMap, expectText } from '../cbor/expect.ts'
import { readCbor, type CborMap } from '../cbor/read.ts'
import { wrapInTag24, writeCbor, type CborParts } from '../cbor/write.ts'
import { catchInputError, InputError, type ReadResult } from '../input-error.ts'

/** What Google Wallet shows about who asks. */
type RelyingPartyDisplay = { display_name: string; logo_uri: string; privacy_policy_uri: string }
export type RelyingPartyMetadata = {
  display: RelyingPartyDisplay
  /** Who asks on its behalf. */
  aggregator_info?: RelyingPartyDisplay
}

/** The extension of a leaf certificate that names the metadata by its SHA-256, in an OCTET STRING (Google Wallet, verifier registrars). */
export const relyingPartyMetadataOid = '1.3.6.1.4.1.11129.10.1'

const members = ['display_name', 'logo_uri', 'privacy_policy_uri'] as const
const maxMetadata_bytes = 8 * 1024

/** RelyingPartyMetadataBytes: the map, encoded once more under tag 24. */
export function buildRelyingPartyMetadata({ display, aggregator_info }: RelyingPartyMetadata): Buffer {
  return wrapInTag24(
    writeCbor(
      new Map<string, CborParts>([
        ['schema_version', 'v1'],
        ['display', toMap(display)],
        ...(aggregator_info === undefined ? [] : [['aggregator_info', toMap(aggregator_info)] as const]),
      ]),
    ),
  )
}

function toMap(display: RelyingPartyDisplay): CborParts {
  return new Map(members.map((name) => [name, display[name]]))
}

/** By which a certificate names its metadata. */
export function hashRelyingPartyMetadata(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

export function readRelyingPartyMetadata(bytes: Uint8Array): ReadResult<RelyingPartyMetadata> {
  if (bytes.length > maxMetadata_bytes) return { error: 'the metadata is too large' }
  return catchInputError(() => {
    const metadata = expectMap(
      readCbor(expectEncodedCbor(readCbor(bytes), 'the metadata').content),
      'the metadata',
    )
    if (metadata.get('schema_version') !== 'v1') throw new InputError('schema_version is not v1')
    const aggregator = metadata.get('aggregator_info')
    return {
      display: readDisplay(expectMap(metadata.get('display'), 'display')),
      ...(aggregator !== undefined && {
        aggregator_info: readDisplay(expectMap(aggregator, 'aggregator_info')),
      }),
    }
  })
}

function readDisplay(map: CborMap): RelyingPartyDisplay {
  const [display_name, logo_uri, privacy_policy_uri] = members.map((name) => expectText(map.get(name), name))
  for (const uri of [logo_uri, privacy_policy_uri])
    if (URL.parse(uri ?? '')?.protocol !== 'https:') throw new InputError(`${uri} is not an https URL`)
  return {
    display_name: display_name ?? '',
    logo_uri: logo_uri ?? '',
    privacy_policy_uri: privacy_policy_uri ?? '',
  }
}
