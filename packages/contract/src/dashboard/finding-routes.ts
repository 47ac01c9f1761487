import { z } from 'zod'
import { FilterAudit } from './audit.ts'
import { dashboardPaths as at } from './paths.ts'
import { ChangeRequestLog, FilterRequests, RequestPage } from './requests.ts'
import type { DashboardRoute } from './route.ts'
import { SearchQuery, SearchResults } from './search.ts'
import { Settings } from './settings.ts'
import { EnvironmentName } from './values.ts'
import { ExportVerifications } from './verifications.ts'

const environmentParams = z.object({ environment: EnvironmentName })

/** The request log, the search and downloads. */
export const findingRoutes = {
  listRequests: {
    ...at.listRequests,
    summary: 'List the API requests of the last seven days, newest first',
    may: 'read',
    params: environmentParams,
    query: FilterRequests,
    success: { status: 200, body: RequestPage },
  },
  changeRequestLog: {
    ...at.changeRequestLog,
    summary: 'Switch the request log on or off',
    may: 'manage_settings',
    confirmed: true,
    json: ChangeRequestLog,
    success: { status: 200, body: Settings },
  },
  search: {
    ...at.search,
    summary: 'Find verifications, requests, keys, devices and templates',
    may: 'read',
    params: environmentParams,
    query: SearchQuery,
    success: { status: 200, body: SearchResults },
  },
  exportVerifications: {
    ...at.exportVerifications,
    summary: 'Download verifications as CSV, without claims',
    may: 'read',
    params: environmentParams,
    query: ExportVerifications,
    success: { status: 200, body: z.string(), media: 'text/csv; charset=utf-8' },
  },
  exportClaims: {
    ...at.exportClaims,
    summary: 'Download verifications as CSV, with claims; audited',
    may: 'read_claims',
    confirmed: true,
    params: environmentParams,
    query: ExportVerifications,
    success: { status: 200, body: z.string(), media: 'text/csv; charset=utf-8' },
  },
  exportAuditCsv: {
    ...at.exportAuditCsv,
    summary: 'Download audit entries as CSV',
    may: 'read_audit',
    query: FilterAudit.omit({ limit: true, before_seq: true }),
    success: { status: 200, body: z.string(), media: 'text/csv; charset=utf-8' },
  },
} satisfies Record<string, DashboardRoute>
