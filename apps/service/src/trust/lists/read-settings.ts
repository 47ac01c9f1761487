import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { environments } from '@vidimus/contract'
import { anchorRoles, findServiceRole, readPemAnchors, type TrustListRequest } from '@vidimus/protocol'
import { z } from 'zod'
import { ConfigError } from '../../config.ts'

const shortText = z.string().min(1).max(500)

const Service = z.strictObject({
  service_type: shortText,
  /** The doctypes and vcts for which its certificates are trusted; all of them if absent. */
  document_types: z.array(shortText).min(1).max(100).optional(),
  /** What its certificates are trusted to do; that of the service type if absent. */
  role: z.enum(anchorRoles).optional(),
})

const List = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(2048),
  environment: z.enum(environments),
  /** The LoTEType that is expected at this URL. */
  type: shortText,
  services: z.array(Service).min(1).max(50),
  /** Who may sign it: PEM text, or the path of a PEM file, relative to this file. */
  signers: z.string().min(1).max(2_000_000),
  /** How long its anchors are trusted after the list itself has expired. */
  grace_hours: z.int().min(0).max(168).default(0),
})
type List = z.infer<typeof List>

const Lists = z.array(List).max(100)

export type ListSettings = Pick<List, 'url' | 'environment' | 'grace_hours'> &
  Pick<TrustListRequest, 'type' | 'services' | 'signers'> & {
    /** The hash of all settings that decide which anchors are taken from the list. */
    hash: Buffer
  }

/** Reads TRUST_LISTS_FILE. Throws a ConfigError that lists every mistake. */
export function readListSettings(file: string): ListSettings[] {
  const parsed = Lists.safeParse(readJson(file))
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

function toListSettings(
  file: string,
  { services, signers: pem, ...list }: List,
  mistakes: string[],
): ListSettings {
  const read = readSigners(file, pem)
  if ('error' in read) mistakes.push(`the signers of ${list.url}: ${read.error}`)
  const signers = 'value' in read ? read.value : []
  for (const { service_type, role } of services)
    if (role === undefined && findServiceRole(service_type) === undefined)
      mistakes.push(`${service_type} of ${list.url} needs a role: it is not a service of issuers`)
  const pinned = signers.map(({ certificate }) => Buffer.from(certificate).toString('base64'))
  return {
    ...list,
    services: services.map(({ service_type, document_types, role }) => ({
      service_type,
      ...(document_types && { document_types }),
      ...(role && { role }),
    })),
    signers,
    hash: createHash('sha256')
      .update(JSON.stringify([list.type, services, pinned]))
      .digest(),
  }
}

function readSigners(file: string, pem: string): ReturnType<typeof readPemAnchors> {
  if (pem.includes('-----BEGIN ')) return readPemAnchors(pem)
  const signersFile = resolve(dirname(file), pem)
  const text = readText(signersFile)
  return text === undefined ? { error: `${signersFile} cannot be read` } : readPemAnchors(text)
}

function readJson(file: string): unknown {
  const text = readText(file)
  if (text === undefined) throw new ConfigError([`TRUST_LISTS_FILE names ${file}, which cannot be read`])
  try {
    return JSON.parse(text)
  } catch {
    // JSON.parse throws on malformed JSON.
    throw new ConfigError([`TRUST_LISTS_FILE names ${file}, which is not JSON`])
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Missing, a folder, or no permission: the caller's message names the file.
    return undefined
  }
}
