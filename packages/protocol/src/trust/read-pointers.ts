import { decodeBase64 } from '../crypto/base64.ts'
import { InputError } from '../input-error.ts'
import { readCertificate } from '../x509/read-certificate.ts'
import { asObjects } from './read-entities.ts'

/** How a list is linked to others. */
export type ListLinks = {
  /** The territory that the list above names for it; absent if no list points to it. */
  territory?: string
  /** The type of the lists that it points to and that are followed; absent if none are. */
  follow?: { type: string }
}

/** A list that an authenticated list points to, and the certificates (DER) that verify its signature. */
export type ListPointer = { url: string; territory: string; signers: Uint8Array[] }

/** A pointer as a list states it. A text that is missing is empty. */
export type PointerEntry = {
  location: string
  type: string
  territory: string
  media_type: string
  /** Base64, perhaps with white space. */
  certificates: string[]
}

/** The EU's list of lists has about 45 pointers to machine-readable lists, each with two to five signers. */
export const pointerLimits = { maxPointers: 100, maxSigners: 20 }

/** A list of lists also points to copies for people, in PDF. Pilots name the type of the JSON in a compact JWS. */
const mediaTypes = {
  json: ['application/jose', 'application/jwt', 'application/json'],
  xml: ['application/vnd.etsi.tsl+xml'],
} as const

const maxUrlCharacters = 2048

/** Throws an InputError if a list is not of the territory for which it was pointed to. */
export function checkTerritory(found: unknown, { territory }: ListLinks): void {
  if (territory !== undefined && found !== territory)
    throw new InputError('the trust list is of another territory than the one that was pointed to')
}

/**
 * The lists to follow: those of the requested type in the same form. A pointer that is incomplete or cannot be read is skipped, so that
 * it does not affect the others. Throws an InputError if there are too many.
 */
export function selectPointers(
  entries: readonly PointerEntry[],
  form: keyof typeof mediaTypes,
  { follow }: ListLinks,
): { pointers?: ListPointer[] } {
  if (follow === undefined) return {}
  const pointers = new Map<string, ListPointer>()
  for (const { location, type, territory, media_type, certificates } of entries) {
    if (type !== follow.type || !mediaTypes[form].some((accepted) => accepted === media_type)) continue
    const url = readHttpUrl(location)
    const signers = certificates.flatMap(readSigner)
    if (url === undefined || territory === '' || signers.length === 0 || pointers.has(url)) continue
    if (signers.length > pointerLimits.maxSigners)
      throw new InputError('the trust list names too many signers of another list')
    pointers.set(url, { url, territory, signers })
  }
  if (pointers.size > pointerLimits.maxPointers)
    throw new InputError('the trust list points to too many lists')
  return { pointers: [...pointers.values()] }
}

/** The EU's library calls the member `PointerToOtherLoTE`, everybody else `PointersToOtherLoTE` (ETSI TS 119 602 §6.3.13). */
export function readJsonPointers(scheme: Record<string, unknown>): PointerEntry[] {
  const listed = scheme['PointersToOtherLoTE'] ?? scheme['PointerToOtherLoTE']
  return asObjects(listed).flatMap((pointer) => {
    const certificates = asObjects(pointer['ServiceDigitalIdentities'])
      .flatMap((identity) => asObjects(identity['X509Certificates']))
      .map(({ val }) => asText(val))
    return asObjects(pointer['LoTEQualifiers']).map((qualifier) => ({
      location: asText(pointer['LoTELocation']),
      type: asText(qualifier['LoTEType']),
      territory: asText(qualifier['SchemeTerritory']),
      media_type: asText(qualifier['MimeType']),
      certificates,
    }))
  })
}

function readHttpUrl(location: string): string | undefined {
  const url = URL.parse(location)
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:'
  return url !== null && isHttp && url.href.length <= maxUrlCharacters ? url.href : undefined
}

function readSigner(text: string): Buffer[] {
  const certificate = decodeBase64(text.replaceAll(/\s/g, ''))
  return certificate === undefined || 'error' in readCertificate(certificate) ? [] : [certificate]
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
