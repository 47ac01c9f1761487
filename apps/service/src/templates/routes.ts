import { routes } from '@vidimus/contract'
import type { Context } from '../context.ts'
import { endpoint, type Endpoint } from '../engine/http/endpoint.ts'
import { listUsableTemplates } from './list-usable.ts'

export function templateRoutes(ctx: Context): Endpoint[] {
  return [
    endpoint(routes.listTemplates, async ({ principal }) => ({
      body: { data: await listUsableTemplates(ctx, principal) },
    })),
  ]
}
