import { routes } from '@vidimus/contract'
import type { Context } from '../engine/context.ts'
import { type Endpoint, endpoint } from '../engine/http/index.ts'
import { listUsableTemplates } from './list-templates.ts'

export function templateRoutes(ctx: Context): Endpoint[] {
  return [
    endpoint(routes.listTemplates, async ({ principal }) => ({
      body: { data: await listUsableTemplates(ctx, principal) },
    })),
  ]
}
