import type { ClaimsPath } from '../dcql/query.ts'
import { InputError } from '../input-error.ts'
import { isObject, isStorableText, maxDepth } from '../json.ts'
import { readListReference } from '../status/read-status-reference.ts'
import type {
  Intermediary,
  LocalizedText,
  RegisteredCredential,
  RegisteredIdentifier,
  Registration,
  SupervisoryAuthority,
} from './registration.ts'

export type RegistrationClaims = Omit<Registration, 'token' | 'issuer' | 'issuer_trusted' | 'findings'>

type Members = Record<string, unknown>

const limits = { text_characters: 2_000, entries: 50, credentials: 100, claims: 500 } as const

/**
 * Reads the claims of a registration certificate (ETSI TS 119 475 §5.2.4) in the forms of V1.1.1 and V1.2.1. Members that a
 * wallet only shows may be missing; identifiers, dates and what may be requested must be readable. Throws an InputError.
 */
export function readRegistrationClaims(payload: Members): RegistrationClaims {
  const { iat, exp, status } = payload
  if (!isDate(iat)) throw new InputError('the registration certificate has no iat')
  if (exp !== undefined && !isDate(exp))
    throw new InputError('exp of the registration certificate is not a date')
  const status_list = readListReference(status)
  return {
    identifiers: readIdentifiers(payload),
    ...dropAbsent({
      name: readText(payload['name']),
      legal_name: readLegalName(payload),
      country: readText(payload['country']),
      registry_uri: readText(payload['registry_uri']),
      intended_use_id: readText(payload['intended_use_id']),
      privacy_policy: readPolicyUri(payload['privacy_policy']),
      info_uri: readFirstText(payload['info_uri']),
      supervisory_authority: readAuthority(payload['supervisory_authority'] ?? payload['dpa']),
      certificate_policy: readText(payload['certificate_policy']),
      intermediary: readIntermediary(payload),
      expires_at: exp,
      status_list,
    }),
    service: readLocalized(payload['srv_description'] ?? payload['service']),
    purpose: readLocalized(payload['purpose']),
    // In the order in which wallets try them, when their holder asks for a deletion (TS7).
    support_uris: readTexts(payload['support_uri']),
    entitlements: readTexts(payload['entitlements']),
    policy_ids: readTexts(payload['policy_id']),
    credentials: readCredentials(payload['credentials']),
    issued_at: iat,
  }
}

/** V1.2.1: `sub` is the identifier. V1.1.1: an object with a list of them. At least one must be there (GEN-5.2.4-02). */
function readIdentifiers({ sub }: Members): RegisteredIdentifier[] {
  const entries = isObject(sub) ? asList(sub['id']) : [sub]
  const identifiers = entries.slice(0, limits.entries).flatMap((entry): RegisteredIdentifier[] => {
    const identifier = readText(isObject(entry) ? entry['identifier'] : entry)
    const type = isObject(entry) ? readText(entry['type']) : undefined
    return identifier === undefined ? [] : [{ ...(type !== undefined && { type }), identifier }]
  })
  if (identifiers.length === 0)
    throw new InputError('sub of the registration certificate names no identifier')
  return identifiers
}

/** V1.2.1: `sub_ln` of a legal person, `sub_gn` and `sub_fn` of a natural one. */
function readLegalName({ sub, sub_ln, sub_gn, sub_fn }: Members): string | undefined {
  const name = isObject(sub) ? readFirstText(sub['legal_name']) : readFirstText(sub_ln)
  if (name !== undefined) return name
  const names = [readText(sub_gn), readText(sub_fn)].filter((part) => part !== undefined)
  return names.length === 0 ? undefined : names.join(' ')
}

/** `intermediary {sub, name}` of V1.2.1, `act.sub` of V1.1.1, which is an object with `id` and `name` in its examples. */
function readIntermediary({ intermediary, act }: Members): Intermediary | undefined {
  const named = intermediary ?? act
  if (named === undefined) return undefined
  const { sub, name } = isObject(named) ? named : {}
  const identifier = readText(isObject(sub) ? (sub['id'] ?? sub['identifier']) : sub)
  // Without it, nobody could tell whose access certificate belongs to it.
  if (identifier === undefined)
    throw new InputError('the intermediary of the registration certificate has no identifier')
  const shown = readText(name) ?? (isObject(sub) ? readText(sub['name']) : undefined)
  return { identifier, ...(shown !== undefined && { name: shown }) }
}

function readAuthority(value: unknown): SupervisoryAuthority | undefined {
  if (!isObject(value)) return undefined
  return dropAbsent({
    name: readText(value['name']),
    country: readText(value['country']),
    email: readFirstText(value['email']),
    phone: readFirstText(value['phone']),
    uri: readFirstText(value['uri'] ?? value['form_uri'] ?? value['formURI']),
  })
}

/** A URI, or a list of policies with a URI each. */
function readPolicyUri(value: unknown): string | undefined {
  const [first] = asList(value)
  return isObject(first) ? readText(first['policyURI'] ?? first['policy_uri']) : readText(first)
}

/** `content` in place of `value` is the name that the register's interface uses. */
function readLocalized(value: unknown): LocalizedText[] {
  return asList(value)
    .slice(0, limits.entries)
    .flatMap((entry): LocalizedText[] => {
      const text = readText(isObject(entry) ? (entry['value'] ?? entry['content']) : entry)
      const lang = isObject(entry) ? readText(entry['lang']) : undefined
      return text === undefined ? [] : [{ lang: lang ?? 'und', value: text }]
    })
}

/** What may be requested. An entry that cannot be read is an error: to leave it out would misstate what is registered. */
function readCredentials(value: unknown): RegisteredCredential[] {
  const entries = asList(value)
  if (entries.length > limits.credentials)
    throw new InputError(`the registration certificate has more than ${limits.credentials} credentials`)
  return entries.map((entry) => {
    const format = isObject(entry) ? readText(entry['format']) : undefined
    if (!isObject(entry) || format === undefined)
      throw new InputError('a credential of the registration certificate has no format')
    const claims = readClaims(entry['claim'] ?? entry['claims'])
    return { format, types: readTypes(entry['meta']), ...(claims !== undefined && { claims }) }
  })
}

/** An object as in DCQL, or the type itself in V1.1.1. */
function readTypes(meta: unknown): string[] {
  if (!isObject(meta)) return readTexts(meta)
  return readTexts(meta['vct_values'] ?? meta['doctype_value'])
}

/** Undefined if none are listed, which means all of them. */
function readClaims(value: unknown): ClaimsPath[] | undefined {
  const entries = asList(value)
  if (entries.length === 0) return undefined
  if (entries.length > limits.claims)
    throw new InputError(`a credential of the registration certificate has more than ${limits.claims} claims`)
  return entries.map((entry) => {
    const path = asList(isObject(entry) ? entry['path'] : undefined)
    if (path.length === 0 || path.length > maxDepth || !path.every(isComponent))
      throw new InputError('a claim of the registration certificate has no valid path')
    return path
  })
}

function isComponent(component: unknown): component is ClaimsPath[number] {
  if (typeof component === 'string') return readText(component) !== undefined
  return component === null || (Number.isSafeInteger(component) && Number(component) >= 0)
}

/** Text that can be stored and shown. An oversized or unstorable value is an error, so that nothing is shown in part. */
function readText(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  if (value.length > limits.text_characters || !isStorableText(value))
    throw new InputError('a text of the registration certificate is too long or cannot be stored')
  return value
}

function readFirstText(value: unknown): string | undefined {
  return readText(asList(value)[0])
}

function readTexts(value: unknown): string[] {
  return asList(value)
    .slice(0, limits.entries)
    .flatMap((entry) => readText(entry) ?? [])
}

/** Several members are one value in some versions and a list in others. */
function asList(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

function isDate(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

type Present<Shape> = { [Name in keyof Shape]?: Exclude<Shape[Name], undefined> }

function dropAbsent<Shape extends Members>(members: Shape): Present<Shape> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Present<Shape>
}
