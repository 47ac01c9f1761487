import { z } from 'zod'
import { requireVerification } from '../db/connection/describe-url.ts'
import { isNameServer, readCidr } from '../egress/classify-address.ts'
import { type MailAddress, type MailServer, readMailAddress, readSmtpUrl } from '../mail/address.ts'
import { readPkcs11Uri, type KeyKind, type HsmKey, type HsmModule } from '../keyring/hsm.ts'

// How the text of each kind of variable is read. config.ts says which variables there are.

type RateLimit = { requests: number; seconds: number }

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((number) => number >= min && number <= max, `must be ${min}-${max}`)

/** A number from 0 to 1. */
export const ratio = z
  .string()
  .refine((text) => /^(?:0|1|0?\.\d{1,9}|1\.0*|0\.)$/.test(text), 'must be a number from 0 to 1')
  .transform(Number)

/** A collector accepts traces below it. */
export const collectorUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL such as http://127.0.0.1:4318' })
  .refine((text) => {
    const { username, password, search, hash } = new URL(text)
    return `${username}${password}${search}${hash}` === ''
  }, 'must have no user, password, query or fragment; secrets belong in OTEL_EXPORTER_OTLP_HEADERS')

/** Where signed messages are sent. */
export const receiverUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL such as https://billing.example.com/usage' })
  .refine((text) => {
    const { username, password, hash } = new URL(text)
    return `${username}${password}${hash}` === ''
  }, 'must have no user, password or fragment')

/** `name=value` pairs with percent-encoded values, separated by commas, as OpenTelemetry writes them. */
export const namedValues = z.string().transform((text, ctx): Record<string, string> => {
  const pairs = text.split(',').map((part) => /^\s*([!-+.-<>-~]+)\s*=\s*([ -+.-~-]*?)\s*$/.exec(part))
  const values = pairs.map((pair) => [pair?.[1] ?? '', decodeValue(pair?.[2])] as const)
  if (pairs.length > maxNamedValues || values.some(([name, value]) => name === '' || value === undefined)) {
    ctx.addIssue(`must be up to ${maxNamedValues} name=value pairs, separated by commas`)
    return z.NEVER
  }
  return Object.fromEntries(values.map(([name, value = '']) => [name, value]))
})

const maxNamedValues = 20

function decodeValue(text = ''): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    // A percent sign that encodes nothing.
    return undefined
  }
}

/**
 * A crowd behind one address, such as a stadium's network, starts 1,000 verifications a minute: 60 turnstiles with 11 people a minute
 * each, and half as many again. Each takes up to 15 requests of browser and wallet, and an address may send twice as many.
 */
export const defaultRateLimits = {
  key: { requests: 6000, seconds: 60 },
  ip: { requests: 30_000, seconds: 60 },
  session: { requests: 600, seconds: 60 },
  authorization: { requests: 1000, seconds: 60 },
} satisfies Record<string, RateLimit>

const rateLimitPattern = /^(key|ip|session|authorization)=([1-9]\d{0,6})\/([1-9]\d{0,4})$/
export const rateLimits = z
  .string()
  .transform((text, ctx): Record<keyof typeof defaultRateLimits, RateLimit> | 'off' => {
    if (text === 'off') return 'off'
    const parts = text.split(',').map((part) => rateLimitPattern.exec(part.trim()))
    const limits = Object.fromEntries(
      parts.map((part) => [part?.[1] ?? '', { requests: Number(part?.[2]), seconds: Number(part?.[3]) }]),
    )
    const { key, ip, session, authorization = defaultRateLimits.authorization } = limits
    const repeated = parts.length > Object.keys(limits).length
    if (repeated || '' in limits || key === undefined || ip === undefined || session === undefined) {
      ctx.addIssue(
        'must be off, or key=N/S,ip=N/S,session=N/S,authorization=N/S (requests / seconds), of which the last may be left out',
      )
      return z.NEVER
    }
    return { key, ip, session, authorization }
  })

/** A cell that a pairing code can begin with: its alphabet has no I, L, O and U, and ignores case. */
const sharedCell = /^[0-9a-hjkmnp-tv-z]$/

export const cells = z.string().transform((text, ctx): string[] => {
  const list = text.split(',').map((part) => part.trim())
  if (list.length < 2 || new Set(list).size < list.length || !list.every((cell) => sharedCell.test(cell))) {
    ctx.addIssue(
      'must be two or more different cells, such as a,b: digits or lower-case letters except i, l, o and u',
    )
    return z.NEVER
  }
  return list
})

export const cidrs = commaSeparated(readCidr, 'is not an address range such as 10.0.0.0/8')
export const nameServers = commaSeparated(
  (text) => (isNameServer(text) ? text : undefined),
  'is not a name server address such as 9.9.9.9 or 127.0.0.1:5353',
)

/** Values of a claim, which may be URIs. */
export const words = commaSeparated(
  (text) => (/^[!-~]{1,200}$/.test(text) ? text : undefined),
  'must be up to 200 printable characters without spaces',
)

/** Parses a comma-separated list and reports every item that is not valid. */
function commaSeparated<Item>(read: (text: string) => Item | undefined, problem: string) {
  return z.string().transform((text, ctx): Item[] => {
    const parts = text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
    const items = parts.map(read)
    for (const [index, item] of items.entries()) {
      if (item === undefined) ctx.addIssue(`${parts[index]} ${problem}`)
    }
    return items.filter((item) => item !== undefined)
  })
}

export const seconds = z.string().transform((text, ctx): number[] => {
  const parts = text.split(',').map((part) => (/^\d{1,6}$/.test(part.trim()) ? Number(part) : Number.NaN))
  if (parts.some(Number.isNaN) || parts.length > 20)
    ctx.addIssue('must be at most 20 comma-separated whole numbers of seconds')
  return parts
})

export const baseUrl = z.string().transform((text, ctx): string => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    ctx.addIssue('must be the public URL, such as https://verify.example.com')
    return z.NEVER
  }
  return url.href.replace(/\/$/, '')
})

export const masterKey = z.string().transform((text, ctx): Buffer => {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== 32) ctx.addIssue('must be 32 bytes in base64; create one with `openssl rand -base64 32`')
  return key
})

/** A key in an HSM: a private one signs, a secret one encrypts. */
export const pkcs11Uri = (kind: KeyKind) =>
  z.string().transform((text, ctx): HsmKey & HsmModule => {
    const read = readPkcs11Uri(text.trim(), kind)
    if ('problem' in read) {
      ctx.addIssue(read.problem)
      return z.NEVER
    }
    return read.value
  })

export const mailFrom = z.string().transform((text, ctx): MailAddress => {
  const from = readMailAddress(text)
  if (from === undefined) {
    ctx.addIssue('must be an address such as Vidimus <vidimus@example.com>')
    return z.NEVER
  }
  return from
})

export const smtpUrl = z.string().transform((text, ctx): MailServer => {
  const server = readSmtpUrl(text)
  if ('problem' in server) {
    ctx.addIssue(server.problem)
    return z.NEVER
  }
  return server
})

/** The value is never repeated, because it contains a password. */
export const databaseUrl = z
  .string('is required: the PostgreSQL database to use')
  .refine(
    (text) =>
      /^postgres(?:ql)?:\/\//.test(text) && decodeValue(URL.parse(text)?.hostname ?? '%') !== undefined,
    'must be a URL such as postgres://user:password@127.0.0.1:5432/vidimus; percent-encode special characters in the password',
  )
  .transform(requireVerification)

/** `tls=off` says that a connection to another machine may be unencrypted. */
export const redisUrl = z
  .string()
  .refine(
    (text) => /^rediss?:\/\//.test(text) && URL.canParse(text),
    'must be a URL such as redis://127.0.0.1:6379',
  )
  .refine((text) => {
    const url = URL.parse(text)
    const tls = url?.searchParams.getAll('tls') ?? []
    return tls.length === 0 || (url?.protocol === 'redis:' && tls.every((value) => value === 'off'))
  }, 'may have ?tls=off after redis://; rediss:// always uses TLS')
