import { WebhookError } from '../errors.ts'

export type WebhookSignature = { t: string; candidates: string[] }

/** Far longer than a header with two signatures. */
const maxHeader_characters = 1024

/**
 * Parses `t=<unix seconds>,v1=<hex>[,v1=<hex>]`. Unknown names are ignored, for future schemes. `t` stays text, because the signature
 * covers its exact characters.
 */
export function readSignature(header: string): WebhookSignature {
  if (header.length > maxHeader_characters) throw malformedHeader(`it has ${header.length} characters`)
  const items = header.split(',').map((item) => /^([a-z][a-z0-9]*)=([!-~]+)$/.exec(item))
  if (items.includes(null)) throw malformedHeader('it is not a list of name=value pairs')
  const findValues = (name: string) => items.flatMap((item) => (item?.[1] === name ? [item[2] ?? ''] : []))

  const [t, ...more] = findValues('t')
  if (t === undefined) throw malformedHeader('it has no t')
  if (more.length > 0) throw malformedHeader('it has more than one t')
  if (!/^\d{1,12}$/.test(t)) throw malformedHeader('its t is not a number of seconds')
  const candidates = findValues('v1')
  if (candidates.length === 0) throw malformedHeader('it has no v1')
  return { t, candidates: candidates.filter((hex) => /^[0-9a-f]{64}$/.test(hex)) }
}

function malformedHeader(reason: string): WebhookError {
  return new WebhookError(
    'malformed_header',
    `X-Service-Signature is malformed: ${reason}. It should be t=<unix seconds>,v1=<64 hex digits>.`,
  )
}
