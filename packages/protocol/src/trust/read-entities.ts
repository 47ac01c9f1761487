import { decodeBase64 } from '../crypto/base64.ts'
import { InputError } from '../input-error.ts'
import { isObject } from '../json.ts'
import type { Anchor } from '../presentation.ts'
import { readCertificate } from '../x509/read-certificate.ts'

/** A type of service whose certificates are trusted, and for which documents. */
export type RequestedService = { service_type: string; document_types?: readonly string[] }

export type ListedAnchor = Anchor & { entity: string; service_type: string }

const maxAnchors = 5_000

/** The status of an active service in ETSI TS 119 602 and its profiles. A service without a status is active. */
const activeStatusPattern = /\/(?:granted|notified|recognisedatnationallevel)$/i

/**
 * Reads the certificates of active services of the requested types (ETSI TS 119 602 §6.5, §6.6). Skips entries that cannot
 * be read, so that they do not affect the others.
 */
export function readEntities(entities: unknown, requested: readonly RequestedService[]): ListedAnchor[] {
  const anchors = asObjects(entities).flatMap((entity) =>
    asObjects(entity['TrustedEntityServices']).flatMap((service) => readService(entity, service, requested)),
  )
  if (anchors.length > maxAnchors) throw new InputError('the trust list contains too many certificates')
  return anchors
}

type JsonMembers = Record<string, unknown>

function readService(
  entity: JsonMembers,
  service: JsonMembers,
  requested: readonly RequestedService[],
): ListedAnchor[] {
  const information = asObject(service['ServiceInformation'])
  const { ServiceTypeIdentifier: type, ServiceStatus: status } = information
  const match = requested.find(({ service_type }) => service_type === type)
  if (match === undefined) return []
  if (status !== undefined && !(typeof status === 'string' && activeStatusPattern.test(status))) return []

  const name = readEntityName(entity)
  return asObjects(asObject(information['ServiceDigitalIdentity'])['X509Certificates']).flatMap(({ val }) => {
    const certificate = typeof val === 'string' ? decodeBase64(val) : undefined
    if (certificate === undefined || 'error' in readCertificate(certificate)) return []
    return [{ certificate, entity: name, ...match }]
  })
}

/** The English name if there is one. */
function readEntityName(entity: JsonMembers): string {
  const names = asObjects(asObject(entity['TrustedEntityInformation'])['TEName'])
  const { value } = names.find(({ lang }) => lang === 'en') ?? names[0] ?? {}
  return typeof value === 'string' ? value : ''
}

function asObject(value: unknown): JsonMembers {
  return isObject(value) ? value : {}
}

function asObjects(value: unknown): JsonMembers[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
