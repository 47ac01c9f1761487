import { operatorRoutes as routes } from '@vidimus/contract'
import {
  getAuditKey,
  installationChain,
  listAudit,
  proveEntry,
  verifyInstallationLog,
} from '../audit/index.ts'
import { streamCsv } from '../engine/formats/index.ts'
import { type OperatorEndpoint, operatorEndpoint } from '../engine/http/index.ts'
import { openSlots, takeReadSlot } from '../engine/scheduling/index.ts'
import { findById } from './find-by-id.ts'
import { openHealthReader } from './health/get-health.ts'
import { exportUsage, maxLongReads, readUsagePage } from './read-usage.ts'

/** Usage, health, search and the installation's log. */
export function operatorInstallationRoutes(ctx: Parameters<typeof openHealthReader>[0]): OperatorEndpoint[] {
  const getHealth = openHealthReader(ctx)
  const slots = openSlots(maxLongReads)
  return [
    operatorEndpoint(routes.listUsage, async ({ query }) => ({ body: await readUsagePage(ctx, query) })),
    operatorEndpoint(routes.exportUsage, async ({ operator, query }) => {
      const release = takeReadSlot(slots, operator.operator_id, 'export')
      return {
        stream: await streamCsv(exportUsage(ctx, query), release),
        headers: { 'content-disposition': 'attachment; filename="vidimus-usage.csv"' },
      }
    }),
    operatorEndpoint(routes.getHealth, async () => ({ body: await getHealth() })),
    operatorEndpoint(routes.search, async ({ query }) => ({ body: await findById(ctx, query.id) })),
    operatorEndpoint(routes.listLog, async ({ query }) => ({
      body: await listAudit(ctx, { ...query, tenant_id: installationChain }),
    })),
    operatorEndpoint(routes.getLogKey, async () => ({ body: await getAuditKey(ctx) })),
    operatorEndpoint(routes.proveLogEntry, async ({ params }) => ({
      text: await proveEntry(ctx, { tenant_id: installationChain, seq: params.seq }),
    })),
    operatorEndpoint(routes.verifyLog, async ({ operator }) => {
      const release = takeReadSlot(slots, operator.operator_id, 'verification')
      try {
        return { body: await verifyInstallationLog(ctx) }
      } finally {
        release()
      }
    }),
  ]
}
