import { decodeUtf8 } from '../../decode-utf8.ts'
import { catchInputError, InputError, type ReadResult } from '../../input-error.ts'
import { isNonEmptyString, isObject } from '../../json.ts'
import type { TypeMetadata, TypeReference } from '../../presentation.ts'
import { isIntegrity, matchesIntegrity } from './integrity.ts'

export const maxTypeMetadata_bytes = 256 * 1024
const maxUriCharacters = 2048

/**
 * Reads a Type Metadata document (SD-JWT VC, "Type Metadata"). The reference is signed, or is part of a document that a signed
 * reference leads to, and carries the hash of this one, so that the issuer of the credential vouches for what it says.
 */
export function readTypeMetadata(
  document: Uint8Array,
  { uri, integrity }: TypeReference,
): ReadResult<TypeMetadata> {
  return catchInputError(() => {
    if (document.length > maxTypeMetadata_bytes) throw new InputError('the type metadata is too large')
    if (!matchesIntegrity(document, integrity))
      throw new InputError('the type metadata does not match its integrity')
    const metadata = parseObject(document)
    if (metadata['vct'] !== uri) throw new InputError('the type metadata describes another type')
    return readExtension(metadata)
  })
}

/** The reference to the metadata of a type; undefined if it is not protected or is not at an https URL. */
export function makeTypeReference(uri: unknown, integrity: unknown): TypeReference | undefined {
  return isHttpsUri(uri) && isIntegrity(integrity) ? { uri, integrity } : undefined
}

function parseObject(document: Uint8Array): Record<string, unknown> {
  const text = decodeUtf8(Buffer.from(document.buffer, document.byteOffset, document.byteLength))
  const value = parseJson(text)
  if (!isObject(value)) throw new InputError('the type metadata is not a JSON object')
  return value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // JSON.parse throws on malformed JSON.
    throw new InputError('the type metadata is not a JSON object')
  }
}

function readExtension({ extends: extended, ...rest }: Record<string, unknown>): TypeMetadata {
  if (extended === undefined) return {}
  if (!isNonEmptyString(extended) || extended.length > maxUriCharacters)
    throw new InputError('the type that it extends is not a URI')
  const integrity = rest['extends#integrity']
  return { extends: extended, ...(isIntegrity(integrity) && { extends_integrity: integrity }) }
}

function isHttpsUri(uri: unknown): uri is string {
  return (
    typeof uri === 'string' &&
    uri.length <= maxUriCharacters &&
    uri.startsWith('https://') &&
    URL.canParse(uri)
  )
}
