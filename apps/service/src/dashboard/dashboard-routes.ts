import { dashboardRoutes as routes } from '@vidimus/contract'
import type { Context } from '../context.ts'
import type { Door } from '../platform/http/door.ts'
import { dashboardEndpoint, type DashboardEndpoint } from '../platform/http/endpoint.ts'
import { readCookie } from '../platform/http/session-cookie.ts'
import { getOverview } from './get-overview.ts'
import { streamOpener } from './open-stream.ts'
import { watchChanges } from './watch-changes.ts'

/** What no single slice can tell. */
export function overviewRoutes(
  ctx: Context,
  { findMember, draining }: Pick<Door, 'findMember' | 'draining'>,
): DashboardEndpoint[] {
  const openStream = streamOpener(watchChanges(ctx))
  return [
    dashboardEndpoint(routes.getOverview, async ({ member, params: { environment } }) => ({
      body: await getOverview(ctx, { tenant_id: member.tenant_id, environment }),
    })),
    dashboardEndpoint(routes.getEvents, async ({ member, header }) => {
      const session = readCookie(ctx.config, 'session', header('cookie')) ?? ''
      const alive = async () => !draining() && (await findMember(session)) !== undefined
      // What stands between us and the page must not wait for more.
      return { stream: openStream({ ...member, alive }), headers: { 'x-accel-buffering': 'no' } }
    }),
  ]
}
