import { dashboardRoutes as routes } from '@vidimus/contract'
import type { Context } from '../engine/context.ts'
import { type DashboardEndpoint, dashboardEndpoint } from '../engine/http/index.ts'
import { openExportDownloader } from './verify/download-export.ts'
import { openAuditCsvExporter } from './listing/list-audit.ts'
import { getAuditKey } from './log/open-log.ts'

export function auditDashboardRoutes(ctx: Context): DashboardEndpoint[] {
  const downloadExport = openExportDownloader(ctx)
  const exportCsv = openAuditCsvExporter(ctx)
  return [
    dashboardEndpoint(routes.getAuditKey, async () => ({ body: await getAuditKey(ctx) })),
    dashboardEndpoint(routes.exportAudit, async ({ member, request_id }) => ({
      stream: await downloadExport({ tenant_id: member.tenant_id, request_id }),
      headers: { 'content-disposition': 'attachment; filename="vidimus-audit.jsonl"' },
    })),
    dashboardEndpoint(routes.exportAuditCsv, async ({ member, query }) => ({
      stream: await exportCsv({ ...query, tenant_id: member.tenant_id }),
      headers: { 'content-disposition': 'attachment; filename="vidimus-audit.csv"' },
    })),
  ]
}
