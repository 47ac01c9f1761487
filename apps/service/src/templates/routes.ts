import { routes } from '@vidimus/contract'
import { type Endpoint, endpoint } from '../engine/http/index.ts'
import { listUsableTemplates } from './list-templates.ts'
import type { TemplateContext } from './open-built-in.ts'

export function templateRoutes(ctx: TemplateContext): Endpoint[] {
  return [
    endpoint(routes.listTemplates, async ({ principal }) => ({
      body: { data: await listUsableTemplates(ctx, principal) },
    })),
  ]
}
