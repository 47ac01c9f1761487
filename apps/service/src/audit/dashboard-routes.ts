import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { dashboardRoutes as routes } from '@vidimus/contract'
import type { Context } from '../context.ts'
import { dashboardEndpoint, type DashboardEndpoint } from '../platform/http/endpoint.ts'
import { exportChain } from './export.ts'
import { getAuditKey } from './get-key.ts'
import { listAudit } from './list.ts'

/** Lines leave together: one by one, each would cost more to send than to write. */
const piece_characters = 65_536

export function auditDashboardRoutes(ctx: Context): DashboardEndpoint[] {
  return [
    dashboardEndpoint(routes.listAudit, async ({ member, query }) => ({
      body: await listAudit(ctx, { ...query, tenant_id: member.tenant_id }),
    })),
    dashboardEndpoint(routes.getAuditKey, async () => ({ body: await getAuditKey(ctx) })),
    dashboardEndpoint(routes.exportAudit, async ({ member, request_id }) => {
      const { tenant_id } = member
      const stream = new PassThrough()
      let piece = ''
      const write = async (line: string) => {
        if (stream.destroyed) throw new Error('the reader is gone')
        piece += `${line}\n`
        if (piece.length < piece_characters) return
        const goesOn = stream.write(piece)
        piece = ''
        if (!goesOn) await once(stream, 'drain')
      }
      exportChain(ctx, { tenant_id, write }).then(
        () => stream.end(piece),
        (error: unknown) => {
          // Half an export has no seal, and whoever checks it is told so.
          ctx.log.warn({ err: error, request_id }, 'an export broke off')
          stream.destroy()
        },
      )
      return { stream, headers: { 'content-disposition': 'attachment; filename="vidimus-audit.jsonl"' } }
    }),
  ]
}
