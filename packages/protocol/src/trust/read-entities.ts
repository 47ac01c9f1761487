import { decodeBase64 } from '../crypto/base64.ts'
import { InputError } from '../input-error.ts'
import { isObject } from '../json.ts'
import type { Anchor, AnchorRole } from '../presentation.ts'
import { readCertificate } from '../x509/read-certificate.ts'
import { chooseEntityName, makeUnique } from './name-entity.ts'
import { findServiceRole } from './service-roles.ts'

/** A type of service whose certificates are trusted, for which documents and in which role; absent means that of the type. */
export type RequestedService = {
  service_type: string
  document_types?: readonly string[]
  role?: AnchorRole
}

/** `entity` is unique within the list. Absent if the list does not name it. */
export type ListedAnchor = Anchor & { role: AnchorRole; service_type: string }

export const maxAnchors = 5_000

/** The status of an active service in ETSI TS 119 602 and its profiles. A service without a status is active. */
const activeStatusPattern = /\/(?:granted|notified|recognisedatnationallevel)$/i

/**
 * Reads the certificates of active services of the requested types (ETSI TS 119 602 §6.5, §6.6). Skips entries that cannot
 * be read, so that they do not affect the others.
 */
export function readEntities(entities: unknown, requested: readonly RequestedService[]): ListedAnchor[] {
  const names = new Set<string>()
  const anchors = asObjects(entities).flatMap((entity) => {
    const name = makeUnique(readEntityName(entity), names)
    return asObjects(entity['TrustedEntityServices']).flatMap((service) =>
      readService(name, service, requested),
    )
  })
  if (anchors.length > maxAnchors) throw new InputError('the trust list contains too many certificates')
  return anchors
}

type JsonMembers = Record<string, unknown>

function readService(
  entity: string | undefined,
  service: JsonMembers,
  requested: readonly RequestedService[],
): ListedAnchor[] {
  const information = asObject(service['ServiceInformation'])
  const { ServiceTypeIdentifier: type, ServiceStatus: status } = information
  const match = requested.find(({ service_type }) => service_type === type)
  if (match === undefined) return []
  if (status !== undefined && !(typeof status === 'string' && activeStatusPattern.test(status))) return []

  const { service_type, document_types, role = findServiceRole(service_type) } = match
  if (role === undefined) return []
  return asObjects(asObject(information['ServiceDigitalIdentity'])['X509Certificates']).flatMap(({ val }) => {
    const certificate = typeof val === 'string' ? decodeBase64(val) : undefined
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

function readEntityName(entity: JsonMembers): string | undefined {
  const { TEName, TETradeName } = asObject(entity['TrustedEntityInformation'])
  return chooseEntityName({ names: readTexts(TEName), trade_names: readTexts(TETradeName) })
}

function readTexts(value: unknown): string[] {
  const texts = asObjects(value)
  const english = texts.filter(({ lang }) => lang === 'en')
  return [...english, ...texts].flatMap(({ value: text }) => (typeof text === 'string' ? text : []))
}

function asObject(value: unknown): JsonMembers {
  return isObject(value) ? value : {}
}

/** The elements of an array that are objects. */
export function asObjects(value: unknown): JsonMembers[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
