import { routes } from '@vidimus/contract'
import { type KeyPrincipal, type Principal, Refusal } from '../../engine/basics/index.ts'
import { type Endpoint, endpoint } from '../../engine/http/index.ts'
import { openSlots, takeReadSlot } from '../../engine/scheduling/index.ts'
import type { DashboardContext } from '../context.ts'
import { openConfigApplier } from './apply-config.ts'
import { maxConfigReads, readConfig } from './read-config.ts'

export function configRoutes(ctx: DashboardContext): Endpoint[] {
  const apply = openConfigApplier(ctx)
  const slots = openSlots(maxConfigReads)
  return [
    endpoint(routes.getConfig, async ({ principal }) => {
      const by = requireKey(principal)
      const release = takeReadSlot(slots, by.tenant_id, 'configuration')
      try {
        const { text, etag } = await readConfig(ctx, by)
        return { text, headers: { etag } }
      } finally {
        release()
      }
    }),
    endpoint(
      routes.applyConfig,
      async ({ principal, query, body: config, header }) => {
        const by = requireKey(principal)
        const release = takeReadSlot(slots, by.tenant_id, 'configuration')
        try {
          const { dry_run = false, prune = false } = query
          const { result, etag } = await apply({ by, config, dry_run, prune, if_match: header('if-match') })
          return { body: result, headers: { etag } }
        } finally {
          release()
        }
      },
      { changes: true },
    ),
  ]
}

/** Devices never have the scope. */
function requireKey(principal: Principal): KeyPrincipal {
  if (principal.kind !== 'key') throw new Refusal('insufficient_scope', 'This request needs an API key.')
  return principal
}
