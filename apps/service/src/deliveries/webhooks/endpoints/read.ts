import type { WebhookEndpoint } from '@vidimus/contract'
import type { Context } from '../../../engine/context.ts'
import { notFound } from '../../../engine/basics/index.ts'
import { findEndpoint, readEndpoints, type EndpointOwner } from './store.ts'
import { viewEndpoint } from './view.ts'

/** A tenant's endpoints in an environment, newest first. */
export async function listEndpoints(
  { db }: Pick<Context, 'db'>,
  { tenant_id, environment }: EndpointOwner,
): Promise<WebhookEndpoint[]> {
  return (await readEndpoints(db, { tenant_id, environment })).map(viewEndpoint)
}

export async function getEndpoint(
  { db }: Pick<Context, 'db'>,
  { tenant_id, environment }: EndpointOwner,
  id: string,
): Promise<WebhookEndpoint> {
  const row = await findEndpoint(db, { tenant_id, environment }, id)
  if (row === undefined) throw notFound('webhook_endpoint_not_found')
  return viewEndpoint(row)
}
