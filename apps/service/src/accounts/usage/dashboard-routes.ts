import { dashboardRoutes as routes, type Usage } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { type DashboardEndpoint, dashboardEndpoint } from '../../engine/http/index.ts'
import { getUsage } from './get-usage.ts'

export function usageDashboardRoutes(ctx: Context): DashboardEndpoint[] {
  return [
    dashboardEndpoint(routes.getUsage, async ({ member }) => ({
      body: await getUsage(ctx, member.tenant_id),
    })),
    dashboardEndpoint(routes.exportUsage, async ({ member }) => {
      const usage = await getUsage(ctx, member.tenant_id)
      return {
        text: toCsv(usage),
        headers: { 'content-disposition': `attachment; filename="vidimus-usage-${usage.day}.csv"` },
      }
    }),
  ]
}

/** RFC 4180. Contains only dates and numbers, nothing that a spreadsheet could interpret as a formula. */
function toCsv({ recent, daily_quota }: Usage): string {
  const rows = recent.map(
    ({ day, verifications_created }) => `${day},${verifications_created},${daily_quota}`,
  )
  return ['day,verifications_created,daily_quota', ...rows].map((row) => `${row}\r\n`).join('')
}
