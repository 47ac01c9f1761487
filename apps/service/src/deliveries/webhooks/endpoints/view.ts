import type { WebhookEndpoint } from '@vidimus/contract'
import type { EndpointRow } from './store.ts'

/** The endpoint as merchants see it. Its secret is shown only when it is created. */
export function viewEndpoint(row: EndpointRow): WebhookEndpoint {
  return {
    id: row.id,
    url: row.url,
    environment: row.environment,
    events: row.events,
    description: row.description,
    enabled: row.enabled,
    ...(row.disabled_reason !== null && { disabled_reason: row.disabled_reason }),
    ...(row.disabled_at !== null && { disabled_at: row.disabled_at }),
    ...(row.failing_since !== null && { failing_since: row.failing_since }),
    secret_created_at: row.secret_created_at,
    ...(row.previous_retires_at !== null && { previous_secret_retires_at: row.previous_retires_at }),
    created_at: row.created_at,
  }
}
