import { sign } from 'node:crypto'
import { createListOperator, trustedListPurpose, type Authority, type SigningKey } from '@vidimus/sandbox'

export const listType = 'http://uri.etsi.org/19602/LoTEType/EUPIDProvidersList'
export const pidIssuance = 'http://uri.etsi.org/19602/SvcType/PID/Issuance'
export const pidRevocation = 'http://uri.etsi.org/19602/SvcType/PID/Revocation'
export const mdlIssuance = 'http://uri.etsi.org/19602/SvcType/PubEAA/Issuance'

/** The publisher of a list: an authority and the signer that it certified. */
export type ListOperator = { authority: Authority; key: SigningKey; certificate: Uint8Array }

export function newListOperator(name: string): ListOperator {
  const { authority, signer } = createListOperator({ name, now: new Date(), purpose: trustedListPurpose })
  const [certificate = new Uint8Array()] = signer.chain
  return { authority, key: signer.key, certificate }
}

/** A list of lists (ETSI TS 119 602). */
export const listOfListsType = 'http://uri.etsi.org/19602/LoTLType/EUListOfTrustedLists'

export type ListContent = {
  type?: string
  territory?: string
  pointers?: ListedPointer[]
  sequence_number: number
  /** Seconds since 1970. */
  issued_at: number
  next_update: number
  /** The certificates per service type, of one entity. */
  services?: ListedServices
  /** The services of each entity, by its name. */
  entities?: Record<string, ListedServices>
}
type ListedPointer = {
  location: string
  territory: string
  type?: string
  media_type?: string
  certificates: readonly Uint8Array[]
}
type ListedServices = Record<string, Uint8Array[]>

/** A list of trusted entities (ETSI TS 119 602) as a compact JAdES. */
export function writeTrustList({ key, certificate }: ListOperator, content: ListContent): string {
  const iso = (seconds: number) => new Date(Math.floor(seconds) * 1000).toISOString().replace('.000', '')
  const LoTE = {
    ListAndSchemeInformation: {
      LoTEVersionIdentifier: 1,
      LoTESequenceNumber: content.sequence_number,
      LoTEType: content.type ?? listType,
      SchemeTerritory: content.territory ?? 'UT',
      ...(content.pointers && { PointersToOtherLoTE: content.pointers.map(writePointer) }),
      ListIssueDateTime: iso(content.issued_at),
      NextUpdate: iso(content.next_update),
    },
    TrustedEntitiesList: Object.entries(content.entities ?? { Ministry: content.services ?? {} }).map(
      ([value, services]) => ({
        TrustedEntityInformation: { TEName: [{ lang: 'en', value }] },
        TrustedEntityServices: Object.entries(services).map(([type, certificates]) => ({
          ServiceInformation: {
            ServiceTypeIdentifier: type,
            ServiceDigitalIdentity: {
              X509Certificates: certificates.map((der) => ({ val: Buffer.from(der).toString('base64') })),
            },
          },
        })),
      }),
    ),
  }
  const header = { alg: 'ES256', x5c: [Buffer.from(certificate).toString('base64')] }
  const signed = [header, { LoTE }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = sign('sha256', Buffer.from(signed), { key: key.private_key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

function writePointer({
  location,
  territory,
  type = listType,
  media_type = 'application/jose',
  certificates,
}: ListedPointer) {
  const X509Certificates = certificates.map((der) => ({ val: Buffer.from(der).toString('base64') }))
  return {
    LoTELocation: location,
    ServiceDigitalIdentities: [{ X509Certificates }],
    LoTEQualifiers: [{ LoTEType: type, SchemeTerritory: territory, MimeType: media_type }],
  }
}
