import { hash } from 'node:crypto'
import { decodeJson } from '../crypto/read-jws.ts'
import { Fault } from '../fault.ts'
import { isObject, MAX_DEPTH, type Json, type JsonObject } from '../json.ts'

export type Restored = {
  claims: JsonObject
  /** For arrays that lost elements: the index that each remaining one was issued with. */
  issued_indexes: Map<Json[], number[]>
}

const MAX_VALUES = 10_000

/** The hash functions of RFC 9901 §4.1.1 that are accepted, by the names node:crypto has for them. */
const hashes: Record<string, string> = { 'sha-256': 'sha256', 'sha-384': 'sha384', 'sha-512': 'sha512' }

/** SD-JWT VC §2.2.2.2: these, and what is in them, the issuer states openly. */
const openClaims: ReadonlySet<string> = new Set([
  'iss',
  'nbf',
  'exp',
  'cnf',
  'vct',
  'vct#integrity',
  'aka_vcts',
  'status',
])

/** Puts the disclosed claims where the issuer left their digests (RFC 9901 §7.1, step 3). Throws a Fault. */
export function restoreClaims(payload: Record<string, unknown>, disclosures: string[]): Restored {
  const ledger = openLedger(hashOf(payload), disclosures)
  const claims = restoreObject(payload, ledger, { depth: 0, open: false })
  delete claims['_sd_alg']
  if (ledger.unused.size > 0) throw new Fault('a disclosure belongs to no digest of the credential')
  return { claims, issued_indexes: ledger.issued_indexes }
}

export function hashOf({ _sd_alg: name = 'sha-256' }: Record<string, unknown>): string {
  const known = typeof name === 'string' && Object.hasOwn(hashes, name) ? hashes[name] : undefined
  if (known === undefined) throw new Fault('_sd_alg is not accepted')
  return known
}

/** A disclosure of an object member has a name, that of an array element has none. */
type Disclosure = { name?: string; value: Json }

type Ledger = {
  disclosed: Map<string, Disclosure>
  unused: Set<string>
  /** Every digest met, to meet none twice. */
  met: Set<string>
  /** How many members and elements were restored. */
  values: number
  issued_indexes: Map<Json[], number[]>
}

type Place = { depth: number; /** In a claim that may hold nothing disclosed. */ open: boolean }

function openLedger(algorithm: string, disclosures: string[]): Ledger {
  const disclosed = new Map<string, Disclosure>()
  for (const disclosure of disclosures) {
    // Over the text as received: the issuer chose its spacing (RFC 9901 §4.2.3).
    const digest = hash(algorithm, disclosure, 'base64url')
    if (disclosed.has(digest)) throw new Fault('a disclosure is enclosed twice')
    disclosed.set(digest, readDisclosure(disclosure))
  }
  return {
    disclosed,
    unused: new Set(disclosed.keys()),
    met: new Set(),
    values: 0,
    issued_indexes: new Map(),
  }
}

function readDisclosure(text: string): Disclosure {
  const parts = decodeJson(text)
  if (!Array.isArray(parts) || typeof parts[0] !== 'string')
    throw new Fault('a disclosure is not a salted claim')
  if (parts.length === 2) return { value: parts[1] }
  const [, name, value] = parts
  if (parts.length !== 3 || typeof name !== 'string') throw new Fault('a disclosure is not a salted claim')
  if (name === '_sd' || name === '...') throw new Fault(`a disclosure is named ${name}`)
  return { name, value }
}

function restore(value: Json, ledger: Ledger, place: Place): Json {
  if (Array.isArray(value)) return restoreArray(value, ledger, place)
  if (isObject(value)) return restoreObject(value, ledger, place)
  return value
}

function restoreObject(source: Record<string, unknown>, ledger: Ledger, place: Place): JsonObject {
  count(ledger, Object.keys(source).length)
  const claims: JsonObject = Object.create(null)
  for (const [name, value] of Object.entries(source as JsonObject)) {
    if (name === '...') throw new Fault('a claim is named ...')
    if (name !== '_sd') claims[name] = restore(value, ledger, inside(place, name))
  }
  for (const digest of readDigests(source['_sd'])) {
    const disclosure = take(ledger, digest)
    if (disclosure === undefined) continue
    const { name, value } = disclosure
    if (name === undefined) throw new Fault('an array element is disclosed as a claim')
    if (name in claims) throw new Fault('a disclosure repeats a claim')
    const within = inside(place, name)
    if (within.open) throw new Fault(`${name} may not be disclosed selectively`)
    claims[name] = restore(value, ledger, within)
  }
  return claims
}

function restoreArray(source: Json[], ledger: Ledger, place: Place): Json[] {
  count(ledger, source.length)
  const elements: Json[] = []
  const indexes: number[] = []
  const within = inside(place)
  for (const [index, element] of source.entries()) {
    const digest = elementDigest(element)
    const disclosure = digest === undefined ? { value: element } : take(ledger, digest)
    if (disclosure === undefined) continue
    if (disclosure.name !== undefined) throw new Fault('a claim is disclosed as an array element')
    if (digest !== undefined && place.open) throw new Fault('a claim that must stand open is disclosed')
    elements.push(restore(disclosure.value, ledger, within))
    indexes.push(index)
  }
  if (elements.length < source.length) ledger.issued_indexes.set(elements, indexes)
  return elements
}

function count(ledger: Ledger, values: number): void {
  ledger.values += values
  if (ledger.values > MAX_VALUES) throw new Fault('the credential has too many claims')
}

function inside({ depth, open }: Place, name?: string): Place {
  if (depth >= MAX_DEPTH) throw new Fault('the claims are nested too deeply')
  return { depth: depth + 1, open: open || (depth === 0 && name !== undefined && openClaims.has(name)) }
}

function readDigests(digests: unknown): string[] {
  if (digests === undefined) return []
  if (!Array.isArray(digests)) throw new Fault('_sd is not a list of digests')
  return digests.map(readDigest)
}

function elementDigest(element: Json): string | undefined {
  if (!isObject(element) || !Object.hasOwn(element, '...')) return undefined
  if (Object.keys(element).length > 1) throw new Fault('a digest in an array has company')
  return readDigest(element['...'])
}

function readDigest(digest: unknown): string {
  if (typeof digest !== 'string') throw new Fault('a digest is not text')
  return digest
}

/** The disclosure of a digest, if the holder disclosed it. No digest may occur twice (RFC 9901 §7.1, step 4). */
function take(ledger: Ledger, digest: string): Disclosure | undefined {
  if (ledger.met.has(digest)) throw new Fault('a digest occurs twice')
  ledger.met.add(digest)
  ledger.unused.delete(digest)
  return ledger.disclosed.get(digest)
}
