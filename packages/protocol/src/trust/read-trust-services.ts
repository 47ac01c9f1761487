import { decodeBase64 } from '../crypto/base64.ts'
import { catchInputError, InputError, type ReadResult } from '../input-error.ts'
import { readCertificate } from '../x509/read-certificate.ts'
import { checkListAge, readListTime, type ListAgeRequest } from './check-list-age.ts'
import { chooseEntityName, makeUnique } from './name-entity.ts'
import { maxAnchors, type ListedAnchor, type RequestedService } from './read-entities.ts'
import type { TrustList } from './read-list.ts'
import { checkTerritory, selectPointers, type ListLinks, type PointerEntry } from './read-pointers.ts'
import { findServiceRole } from './service-roles.ts'

/** The parts of an ETSI TS 119 612 list that are used, as the texts of their elements. Its signature has been verified. */
export type TrustServiceList = {
  version: string
  type: string
  sequence_number: string
  issued_at: string
  next_update: string
  territory: string
  pointers: PointerEntry[]
  providers: TrustServiceProvider[]
}
/** Names with the English one first. */
export type TrustServiceProvider = { names: string[]; trade_names: string[]; services: TrustServiceEntry[] }
export type TrustServiceEntry = {
  type: string
  status: string
  status_since: string
  /** Base64, perhaps with white space. */
  certificates: string[]
}

export type TrustServicesRequest = ListAgeRequest &
  ListLinks & {
    /** The TSLType expected at this URL. */
    type: string
    services: readonly RequestedService[]
  }

/** TS 119 612 V2.1.1 and later. Earlier ones are not valid for trust services of the eIDAS regulation. */
const versions = new Set(['5', '6'])

/** §5.5.4: the status of an active service, qualified or recognised by a state. There is no other. */
const activeStatuses = new Set([
  'http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted',
  'http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/recognisedatnationallevel',
])

/** Takes the certificates of the active services of the requested types from a trusted list (ETSI TS 119 612), if it is current. */
export function readTrustServices(
  list: TrustServiceList,
  request: TrustServicesRequest,
): ReadResult<TrustList> {
  return catchInputError(() => {
    if (!versions.has(list.version)) throw new InputError('the version of the trust list is not 5 or 6')
    if (list.type !== request.type) throw new InputError('the trust list has another type')
    checkTerritory(list.territory, request)
    const age = {
      sequence_number: /^\d{1,15}$/.test(list.sequence_number) ? Number(list.sequence_number) : NaN,
      issued_at: readListTime(list.issued_at, 'ListIssueDateTime'),
      // A closed list has an empty NextUpdate (§5.3.15). Nobody in it is to be trusted any more.
      next_update: readListTime(list.next_update, 'NextUpdate'),
    }
    checkListAge(age, request)
    const known = new Set<string>()
    const anchors = list.providers.flatMap(({ services, ...provider }) => {
      const entity = makeUnique(chooseEntityName(provider), known)
      return services.flatMap((service) => readService(entity, service, request))
    })
    if (anchors.length > maxAnchors) throw new InputError('the trust list contains too many certificates')
    return { anchors, ...age, ...selectPointers(list.pointers, 'xml', request) }
  })
}

/** Skips a certificate that cannot be read, so that it does not affect the others. */
function readService(
  entity: string | undefined,
  { type, status, status_since, certificates }: TrustServiceEntry,
  { services, now }: TrustServicesRequest,
): ListedAnchor[] {
  const match = services.find(({ service_type }) => service_type === type)
  // A status without a date, or with a later one, is not in effect.
  if (match === undefined || !activeStatuses.has(status) || !(Date.parse(status_since) / 1000 <= now))
    return []
  const { service_type, document_types, role = findServiceRole(service_type) } = match
  if (role === undefined) return []
  return certificates.flatMap((text) => {
    const certificate = decodeBase64(text.replaceAll(/\s/g, ''))
    if (certificate === undefined || 'error' in readCertificate(certificate)) return []
    return [
      {
        certificate,
        service_type,
        role,
        ...(document_types && { document_types }),
        ...(entity !== undefined && { entity }),
      },
    ]
  })
}
