import { WebhookError } from '../errors.ts'

export type WebhookSignature = { t: string; candidates: string[] }

/** Far above what a header with two signatures takes. */
const maxHeader_characters = 1024

/**
 * Reads `t=<unix seconds>,v1=<hex>[,v1=<hex>]`. Names that it does not know are left for later schemes; `t` stays the text that
 * was signed.
 */
export function readSignature(header: string): WebhookSignature {
  if (header.length > maxHeader_characters) throw malformedHeader(`it has ${header.length} characters`)
  const items = header.split(',').map((item) => /^([a-z][a-z0-9]*)=([!-~]+)$/.exec(item))
  if (items.includes(null)) throw malformedHeader('it is no list of name=value')
  const findValues = (name: string) => items.flatMap((item) => (item?.[1] === name ? [item[2] ?? ''] : []))

  const [t, ...more] = findValues('t')
  if (t === undefined) throw malformedHeader('it has no t')
  if (more.length > 0) throw malformedHeader('it has more than one t')
  if (!/^\d{1,12}$/.test(t)) throw malformedHeader('its t is no number of seconds')
  const candidates = findValues('v1')
  if (candidates.length === 0) throw malformedHeader('it has no v1')
  return { t, candidates: candidates.filter((hex) => /^[0-9a-f]{64}$/.test(hex)) }
}

function malformedHeader(reason: string): WebhookError {
  return new WebhookError(
    'malformed_header',
    `X-Service-Signature cannot be read: ${reason}. It should be t=<unix seconds>,v1=<64 hex digits>.`,
  )
}
