import type { Egress, OutboundOutcome } from '../../engine/egress/index.ts'
import type { ListReading } from './read/read-copy.ts'

export const limits = { timeout_ms: 30_000, max_response_bytes: 16 * 1024 * 1024 }

const accepted: Record<ListReading['format'], string> = {
  lote: 'application/jose, application/jwt, */*;q=0.5',
  vical: 'application/cbor, application/octet-stream, */*;q=0.5',
  xml: 'application/vnd.etsi.tsl+xml, application/xml, */*;q=0.5',
}

/** Fetches a trust list, or says in words for the operator why it could not be fetched. */
export async function fetchList(
  egress: Egress,
  url: string,
  { format }: ListReading,
): Promise<{ bytes: Buffer } | { fault: string }> {
  const response = await egress.request({
    method: 'GET',
    url,
    ...limits,
    compose: (write) => write({ headers: { accept: accepted[format] } }),
  })
  if (response.outcome === 'answered' && response.status === 200 && response.complete) {
    return { bytes: response.body }
  }
  return { fault: `the list could not be fetched: ${describeFailure(response)}` }
}

function describeFailure(response: OutboundOutcome): string {
  switch (response.outcome) {
    case 'answered':
      return response.status === 200
        ? 'it is too long or was cut off'
        : `the server replied ${response.status}`
    case 'timed_out':
      return 'the server took too long'
    case 'refused':
      return refusalTexts[response.reason]
    case 'failed':
      return `${response.reason} (${response.code})`
    case 'withdrawn':
      return 'the request was withdrawn'
  }
}

const refusalTexts = {
  not_http: 'its URL is not http or https',
  port: 'its URL names a port of another protocol',
  not_public: 'its URL is not public',
}
