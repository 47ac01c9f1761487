import { maxTypeMetadata_bytes } from '@vidimus/protocol'
import type { Egress } from '../../engine/egress/index.ts'

/** A holder waits for all steps of a chain, one after the other. */
export const limits = { timeout_ms: 2000, max_response_bytes: maxTypeMetadata_bytes }

/** Fetches a Type Metadata document (SD-JWT VC, "Retrieving Type Metadata"). Follows no redirect. Undefined unless it is complete. */
export async function fetchTypeMetadata(
  egress: Egress,
  uri: string,
  onReceived: (received_bytes: number) => void,
): Promise<Buffer | undefined> {
  const response = await egress.request({
    method: 'GET',
    url: uri,
    ...limits,
    onReceived,
    compose: (write) => write({ headers: { accept: 'application/json' } }),
  })
  return response.outcome === 'answered' && response.status === 200 && response.complete
    ? response.body
    : undefined
}
