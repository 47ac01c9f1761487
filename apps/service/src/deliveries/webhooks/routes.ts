import { routes } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { type Endpoint, endpoint } from '../../engine/http/index.ts'
import {
  changeEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateEndpointSecret,
} from './endpoints/change-endpoint.ts'
import { createEndpoint } from './endpoints/create-endpoint.ts'
import { insecureUrlWarning } from './insecure-url-warning.ts'

export function webhookRoutes(ctx: Context): Endpoint[] {
  return [
    endpoint(routes.createWebhookEndpoint, async ({ principal, body }) => ({
      body: await createEndpoint(ctx, principal, body),
      headers: warnOfHttp(body.url),
    })),
    endpoint(routes.listWebhookEndpoints, async ({ principal }) => ({
      body: { data: await listEndpoints(ctx, principal) },
    })),
    endpoint(routes.getWebhookEndpoint, async ({ principal, params }) => ({
      body: await getEndpoint(ctx, principal, params.id),
    })),
    endpoint(routes.changeWebhookEndpoint, async ({ principal, params, body }) => ({
      body: await changeEndpoint(ctx, principal, { ...body, ...params }),
      headers: warnOfHttp(body.url),
    })),
    endpoint(routes.deleteWebhookEndpoint, async ({ principal, params }) => ({
      body: await deleteEndpoint(ctx, principal, params.id),
    })),
    endpoint(routes.rotateWebhookEndpointSecret, async ({ principal, params }) => ({
      body: await rotateEndpointSecret(ctx, principal, params.id),
    })),
  ]
}

function warnOfHttp(url: string | undefined): Record<string, string> {
  const warning = insecureUrlWarning('url', url)
  return warning === undefined ? {} : { 'x-service-warning': warning }
}
