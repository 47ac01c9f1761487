import { hash } from 'node:crypto'
import { decodeJson } from '../crypto/read-jws.ts'
import { InputError } from '../input-error.ts'
import { isObject, maxDepth, type Json, type JsonObject } from '../json.ts'
import { nonDisclosableClaims } from './registered-claims.ts'

export type RestoredClaims = {
  claims: JsonObject
  /** For arrays with undisclosed elements: the issued index of each remaining element. */
  issued_indexes: Map<Json[], number[]>
}

const maxValues = 10_000

/** The accepted hash algorithms of RFC 9901 §4.1.1, with their `node:crypto` names. */
const hashAlgorithms: Record<string, string> = {
  'sha-256': 'sha256',
  'sha-384': 'sha384',
  'sha-512': 'sha512',
}

/** Replaces the issuer's digests with the disclosed claims (RFC 9901 §7.1, step 3). Throws an InputError. */
export function restoreClaims(payload: Record<string, unknown>, disclosures: string[]): RestoredClaims {
  const state = indexDisclosures(readHashAlgorithm(payload), disclosures)
  const claims = restoreObject(payload, state, { depth: 0, disclosure_forbidden: false })
  delete claims['_sd_alg']
  if (state.unused.size > 0) throw new InputError('a disclosure does not match any digest of the credential')
  return { claims, issued_indexes: state.issued_indexes }
}

export function readHashAlgorithm({ _sd_alg: name = 'sha-256' }: Record<string, unknown>): string {
  const known =
    typeof name === 'string' && Object.hasOwn(hashAlgorithms, name) ? hashAlgorithms[name] : undefined
  if (known === undefined) throw new InputError('_sd_alg is not accepted')
  return known
}

/** The disclosure of an object member has a name, that of an array element does not. */
type Disclosure = { name?: string; value: Json }

type RestoreState = {
  disclosed: Map<string, Disclosure>
  unused: Set<string>
  /** All digests seen so far; none may occur twice. */
  seen_digests: Set<string>
  /** The number of members and elements restored so far. */
  values: number
  issued_indexes: Map<Json[], number[]>
}

type Position = {
  depth: number
  /** True inside a claim that must not contain disclosures. */
  disclosure_forbidden: boolean
}

function indexDisclosures(algorithm: string, disclosures: string[]): RestoreState {
  const disclosed = new Map<string, Disclosure>()
  for (const disclosure of disclosures) {
    // Hash the received text: the issuer chose its white space (RFC 9901 §4.2.3).
    const digest = hash(algorithm, disclosure, 'base64url')
    if (disclosed.has(digest)) throw new InputError('a disclosure is included twice')
    disclosed.set(digest, readDisclosure(disclosure))
  }
  return {
    disclosed,
    unused: new Set(disclosed.keys()),
    seen_digests: new Set(),
    values: 0,
    issued_indexes: new Map(),
  }
}

function readDisclosure(text: string): Disclosure {
  const parts = decodeJson(text)
  if (!Array.isArray(parts) || typeof parts[0] !== 'string')
    throw new InputError('a disclosure is not an array of salt, optional name and value')
  if (parts.length === 2) return { value: parts[1] }
  const [, name, value] = parts
  if (parts.length !== 3 || typeof name !== 'string')
    throw new InputError('a disclosure is not an array of salt, optional name and value')
  if (name === '_sd' || name === '...') throw new InputError(`a disclosure is named ${name}`)
  return { name, value }
}

function restore(value: Json, state: RestoreState, position: Position): Json {
  if (Array.isArray(value)) return restoreArray(value, state, position)
  if (isObject(value)) return restoreObject(value, state, position)
  return value
}

function restoreObject(source: Record<string, unknown>, state: RestoreState, position: Position): JsonObject {
  countValues(state, Object.keys(source).length)
  const claims: JsonObject = Object.create(null)
  for (const [name, value] of Object.entries(source as JsonObject)) {
    if (name === '...') throw new InputError('a claim is named ...')
    if (name !== '_sd') claims[name] = restore(value, state, descend(position, name))
  }
  for (const digest of readDigests(source['_sd'])) {
    const disclosure = takeDisclosure(state, digest)
    if (disclosure === undefined) continue
    const { name, value } = disclosure
    if (name === undefined) throw new InputError('an array element is disclosed as a claim')
    if (name in claims) throw new InputError('a disclosure repeats the name of another claim')
    const inner = descend(position, name)
    if (inner.disclosure_forbidden) throw new InputError(`${name} must not be selectively disclosed`)
    claims[name] = restore(value, state, inner)
  }
  return claims
}

function restoreArray(source: Json[], state: RestoreState, position: Position): Json[] {
  countValues(state, source.length)
  const elements: Json[] = []
  const indexes: number[] = []
  const inner = descend(position)
  for (const [index, element] of source.entries()) {
    const digest = elementDigest(element)
    const disclosure = digest === undefined ? { value: element } : takeDisclosure(state, digest)
    if (disclosure === undefined) continue
    if (disclosure.name !== undefined) throw new InputError('a claim is disclosed as an array element')
    if (digest !== undefined && position.disclosure_forbidden)
      throw new InputError('an array that must not be selectively disclosed has a disclosed element')
    elements.push(restore(disclosure.value, state, inner))
    indexes.push(index)
  }
  if (elements.length < source.length) state.issued_indexes.set(elements, indexes)
  return elements
}

function countValues(state: RestoreState, values: number): void {
  state.values += values
  if (state.values > maxValues) throw new InputError('the credential has too many claims')
}

function descend({ depth, disclosure_forbidden }: Position, name?: string): Position {
  if (depth >= maxDepth) throw new InputError('the claims are nested too deeply')
  return {
    depth: depth + 1,
    disclosure_forbidden:
      disclosure_forbidden || (depth === 0 && name !== undefined && nonDisclosableClaims.includes(name)),
  }
}

function readDigests(digests: unknown): string[] {
  if (digests === undefined) return []
  if (!Array.isArray(digests)) throw new InputError('_sd is not a list of digests')
  return digests.map(readDigest)
}

function elementDigest(element: Json): string | undefined {
  if (!isObject(element) || !Object.hasOwn(element, '...')) return undefined
  if (Object.keys(element).length > 1) throw new InputError('an array element has members beside its digest')
  return readDigest(element['...'])
}

function readDigest(digest: unknown): string {
  if (typeof digest !== 'string') throw new InputError('a digest is not text')
  return digest
}

/** Takes the disclosure of a digest, if the holder disclosed it. No digest may occur twice (RFC 9901 §7.1, step 4). */
function takeDisclosure(state: RestoreState, digest: string): Disclosure | undefined {
  if (state.seen_digests.has(digest)) throw new InputError('a digest occurs twice')
  state.seen_digests.add(digest)
  state.unused.delete(digest)
  return state.disclosed.get(digest)
}
