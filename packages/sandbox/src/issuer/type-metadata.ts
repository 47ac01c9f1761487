import { createHash } from 'node:crypto'
import type { JsonObject } from '../keys/sign-jws.ts'
import type { Issuer } from './create-issuer.ts'

/** A reference to a description of a type: the URL is the name of the type. */
export type TypeReference = { readonly vct: string; readonly 'vct#integrity': string }

/** The more types lie between, the more steps a verifier takes. Nobody needs ten. */
const distances = { direct: 0, twice: 1, deep: 9 } as const

/** Types that extend another: at once, over one more type, over too many; and over one that is named without its hash. */
export type TypeName = keyof typeof distances | 'unprotected'

/** A national type that extends this type (SD-JWT VC, "Extending Type Metadata"). */
export function referToType(issuer: Issuer, name: TypeName, extended: string): TypeReference {
  const vct = `${typesUri(issuer)}/${name}/${encodeURIComponent(extended)}`
  const document = serveTypeMetadata(issuer, vct) ?? new Uint8Array()
  return { vct, 'vct#integrity': describeIntegrity(document) }
}

/** The description at a URL, or undefined if there is none. */
export function serveTypeMetadata(issuer: Issuer, uri: string): Uint8Array | undefined {
  const base = `${typesUri(issuer)}/`
  if (!uri.startsWith(base)) return undefined
  const [name = '', encoded = '', ...rest] = uri.slice(base.length).split('/')
  if (encoded === '' || rest.length > 0) return undefined
  const extended = decodeURIComponent(encoded)
  if (name === 'unprotected') {
    const { vct } = referToType(issuer, 'direct', extended)
    return writeMetadata({ vct: uri, extends: vct })
  }
  const distance = readDistance(name)
  return distance === undefined ? undefined : describeAtDistance(base, uri, distance, extended)
}

/** Hashes from the far end: a description contains the hash of the one that it refers to. */
function describeAtDistance(base: string, uri: string, distance: number, extended: string): Uint8Array {
  if (distance === 0) return writeMetadata({ vct: uri, extends: extended })
  const next = `${base}${distance - 1}/${encodeURIComponent(extended)}`
  const document = describeAtDistance(base, next, distance - 1, extended)
  return writeMetadata({ vct: uri, extends: next, 'extends#integrity': describeIntegrity(document) })
}

function readDistance(name: string): number | undefined {
  if (Object.hasOwn(distances, name)) return Object.entries(distances).find(([each]) => each === name)?.[1]
  return /^\d$/.test(name) ? Number(name) : undefined
}

function writeMetadata(members: JsonObject): Uint8Array {
  return Buffer.from(JSON.stringify({ ...members, name: 'A national type', display: [] }))
}

/** Integrity metadata (W3C Subresource Integrity §3.5): base64 with padding. */
function describeIntegrity(document: Uint8Array): string {
  return `sha256-${createHash('sha256').update(document).digest('base64')}`
}

/** Beside the status lists. */
function typesUri({ status_uri }: Issuer): string {
  return new URL('/types', status_uri).href
}
