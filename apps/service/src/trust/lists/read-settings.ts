import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { environments } from '@vidimus/contract'
import {
  anchorRoles,
  findServiceRole,
  readPemAnchors,
  type Anchor,
  type RequestedService,
} from '@vidimus/protocol'
import { z } from 'zod'
import { ConfigError, readJsonFile } from '../../engine/config/index.ts'
import type { ListReading } from './read/read-copy.ts'

const shortText = z.string().min(1).max(500)
const documentTypes = z.array(shortText).min(1).max(100)

const Service = z.strictObject({
  service_type: shortText,
  /** The doctypes and vcts for which its certificates are trusted; all of them if absent. */
  document_types: documentTypes.optional(),
  /** What its certificates are trusted to do; by default the role of the service type. */
  role: z.enum(anchorRoles).optional(),
})

const common = {
  url: z.url({ protocol: /^https?$/ }).max(2048),
  environment: z.enum(environments),
  /** Who may sign it: PEM text, or the path of a PEM file, relative to this file. */
  signers: z.string().min(1).max(2_000_000),
  /** How long its anchors are trusted after the list itself has expired. */
  grace_hours: z.int().min(0).max(168).default(0),
}

/** `type` is what is expected at the URL: the LoTEType, or the TSLType of an XML list. */
const services = { type: shortText, services: z.array(Service).min(1).max(50) }

/** A list of services, of pointers to lists of services, or of both. */
const listed = {
  ...services,
  services: services.services.optional(),
  /** Of the lists that it points to, those of this type are followed. */
  follow: z.strictObject(services).optional(),
}

const Lote = z.strictObject({ format: z.literal('lote'), ...common, ...listed })
const Xml = z.strictObject({ format: z.literal('xml'), ...common, ...listed })
const Vical = z.strictObject({
  format: z.literal('vical'),
  ...common,
  /** Which of the list's document types are trusted; all of them if absent. */
  document_types: documentTypes.optional(),
  /** How long a list without `nextUpdate` is valid after its date. */
  max_age_days: z.int().min(1).max(366).default(30),
})

const List = z.preprocess(
  (list) => (typeof list === 'object' && list !== null ? { format: 'lote', ...list } : list),
  z.discriminatedUnion('format', [Lote, Xml, Vical]),
)
type List = z.infer<typeof List>

const Lists = z.array(List).max(100)

export type ListSettings = Pick<List, 'url' | 'environment' | 'grace_hours'> & {
  signers: readonly Anchor[]
  /** The URL of the list that points to it; absent if the file names it. */
  source?: string
  /** What is taken from the list. */
  reading: ListReading
  /** The hash of all settings that decide which anchors are taken from the list. */
  hash: Buffer
}

/** Increment it when the code accepts fewer lists than before, so that stored copies are read again. */
const readingVersion = 2

/** Reads TRUST_LISTS_FILE. Throws a ConfigError that lists every mistake. */
export function readListSettings(file: string): ListSettings[] {
  const parsed = Lists.safeParse(readJsonFile('TRUST_LISTS_FILE', file))
  const mistakes = (parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
  const known = new Set<string>()
  const settings = (parsed.data ?? []).map((list) => {
    const name = `${list.environment} ${list.url}`
    if (known.has(name)) mistakes.push(`${list.url} is listed twice for ${list.environment}`)
    if (list.environment === 'live' && !list.url.startsWith('https:'))
      mistakes.push(`${list.url} must be https`)
    known.add(name)
    return toListSettings(file, list, mistakes)
  })
  if (mistakes.length > 0)
    throw new ConfigError(mistakes.map((mistake) => `TRUST_LISTS_FILE ${file}: ${mistake}`))
  return settings
}

function toListSettings(file: string, list: List, mistakes: string[]): ListSettings {
  const { url, environment, grace_hours } = list
  const read = readSigners(file, list.signers)
  if ('error' in read) mistakes.push(`the signers of ${url}: ${read.error}`)
  const signers = 'value' in read ? read.value : []
  mistakes.push(...findServiceMistakes(list))
  const reading = toReading(list)
  return { url, environment, grace_hours, signers, reading, hash: hashReading({ reading, signers }) }
}

/** The hash of `ListSettings`. */
export function hashReading({ reading, signers }: Pick<ListSettings, 'reading' | 'signers'>): Buffer {
  const pinned = signers.map(({ certificate }) => Buffer.from(certificate).toString('base64'))
  return createHash('sha256')
    .update(JSON.stringify([readingVersion, reading, pinned]))
    .digest()
}

function findServiceMistakes(list: List): string[] {
  if (list.format === 'vical') return []
  const { services: own = [], follow } = list
  if (own.length === 0 && follow === undefined) return [`${list.url} needs services, or follow`]
  return [...own, ...(follow?.services ?? [])]
    .filter(({ service_type, role }) => role === undefined && findServiceRole(service_type) === undefined)
    .map(({ service_type }) => `${service_type} of ${list.url} needs a role: it is not a service of issuers`)
}

function toReading(list: List): ListReading {
  if (list.format === 'vical') {
    const { format, document_types, max_age_days } = list
    return {
      format,
      max_age_seconds: max_age_days * 86_400,
      ...(document_types !== undefined && { document_types }),
    }
  }
  const { format, type, follow } = list
  return {
    format,
    type,
    services: toServices(list.services),
    ...(follow && { follow: { type: follow.type, services: toServices(follow.services) } }),
  }
}

function toServices(requested: readonly z.infer<typeof Service>[] = []): RequestedService[] {
  return requested.map(({ service_type, document_types, role }) => ({
    service_type,
    ...(document_types && { document_types }),
    ...(role && { role }),
  }))
}

function readSigners(file: string, pem: string): ReturnType<typeof readPemAnchors> {
  if (pem.includes('-----BEGIN ')) return readPemAnchors(pem)
  const signersFile = resolve(dirname(file), pem)
  const text = readText(signersFile)
  return text === undefined ? { error: `${signersFile} cannot be read` } : readPemAnchors(text)
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Missing, a folder, or no permission: the caller's message names the file.
    return undefined
  }
}
