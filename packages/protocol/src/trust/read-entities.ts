import { decodeBase64 } from '../crypto/base64.ts'
import { Fault } from '../fault.ts'
import { isObject } from '../json.ts'
import type { Anchor } from '../presentation.ts'
import { readCertificate } from '../x509/read-certificate.ts'

/** A kind of service whose certificates are to be trusted, and for which documents. */
export type WantedService = { service_type: string; document_types?: readonly string[] }

export type ListedAnchor = Anchor & { entity: string; service_type: string }

const MAX_ANCHORS = 5_000

/** What ETSI TS 119 602 and its profiles call a service that is in order. A service without a status is in order. */
const goodStatus = /\/(?:granted|notified|recognisedatnationallevel)$/i

/**
 * The certificates of the wanted services, for as long as these are in order (ETSI TS 119 602 §6.5, §6.6). An entry that
 * cannot be read vouches for nobody; the others are not to suffer for it.
 */
export function readEntities(entities: unknown, wanted: readonly WantedService[]): ListedAnchor[] {
  const anchors = objects(entities).flatMap((entity) =>
    objects(entity['TrustedEntityServices']).flatMap((service) => readService(entity, service, wanted)),
  )
  if (anchors.length > MAX_ANCHORS) throw new Fault('the trust list holds too many certificates')
  return anchors
}

type Member = Record<string, unknown>

function readService(entity: Member, service: Member, wanted: readonly WantedService[]): ListedAnchor[] {
  const information = object(service['ServiceInformation'])
  const { ServiceTypeIdentifier: type, ServiceStatus: status } = information
  const match = wanted.find(({ service_type }) => service_type === type)
  if (match === undefined) return []
  if (status !== undefined && !(typeof status === 'string' && goodStatus.test(status))) return []

  const name = nameOf(entity)
  return objects(object(information['ServiceDigitalIdentity'])['X509Certificates']).flatMap(({ val }) => {
    const certificate = typeof val === 'string' ? decodeBase64(val) : undefined
    if (certificate === undefined || 'fault' in readCertificate(certificate)) return []
    return [{ certificate, entity: name, ...match }]
  })
}

/** In English where there is one. */
function nameOf(entity: Member): string {
  const names = objects(object(entity['TrustedEntityInformation'])['TEName'])
  const { value } = names.find(({ lang }) => lang === 'en') ?? names[0] ?? {}
  return typeof value === 'string' ? value : ''
}

function object(value: unknown): Member {
  return isObject(value) ? value : {}
}

function objects(value: unknown): Member[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
