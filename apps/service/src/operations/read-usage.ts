import type { ExportUsage, ListOperatorUsage, OperatorUsage, UsageRow } from '@vidimus/contract'
import { type UsageEntry, listUsage } from '../accounts/index.ts'
import { Refusal } from '../engine/basics/index.ts'
import type { Context } from '../engine/context.ts'
import { csvLine } from '../engine/formats/index.ts'

/** Exports of usage and checks of the log at a time. Both may read for minutes. */
export const maxLongReads = { each: 1, all: 2 }

type Period = { from: string; to: string }

/** One page of what tenants used, as `admin usage` prints it. */
export async function readUsagePage(
  ctx: Pick<Context, 'db'>,
  { limit, after, environment, tenant_id, by_day, ...given }: ListOperatorUsage,
): Promise<OperatorUsage> {
  const period = toPeriod(given)
  const data: UsageRow[] = []
  const tenants = new Set<string>()
  for await (const entry of listUsage(ctx, { ...period, tenant_id, by_day: by_day === true, after })) {
    if (!tenants.has(entry.tenant_id) && tenants.size === limit) {
      const last = [...tenants].at(-1)
      return { ...period, data, ...(last !== undefined && { next: last }) }
    }
    tenants.add(entry.tenant_id)
    if (environment === undefined || entry.environment === environment) data.push(toRow(entry, period))
  }
  return { ...period, data }
}

const counts = ['created', 'completed', 'failed', 'declined', 'expired', 'pending'] as const
const columns = ['tenant_id', 'name', 'from', 'to', 'environment', ...counts, 'final'] as const

/** The lines of the same as CSV, of all tenants. */
export async function* exportUsage(
  ctx: Pick<Context, 'db'>,
  { environment, tenant_id, by_day, ...given }: ExportUsage,
): AsyncGenerator<string> {
  const period = toPeriod(given)
  yield csvLine(columns)
  for await (const entry of listUsage(ctx, { ...period, tenant_id, by_day: by_day === true })) {
    if (environment !== undefined && entry.environment !== environment) continue
    const row = toRow(entry, period)
    yield csvLine(columns.map((column) => row[column]))
  }
}

function toRow({ name, day, ...entry }: UsageEntry, period: Period): UsageRow {
  return { ...entry, ...(name !== undefined && { name }), from: day ?? period.from, to: day ?? period.to }
}

/** A month, or the days from one to another. */
function toPeriod({ month, from, to }: Pick<ExportUsage, 'month' | 'from' | 'to'>): Period {
  if (month !== undefined && from === undefined && to === undefined) {
    const end = new Date(`${month}-01T00:00:00Z`)
    end.setUTCMonth(end.getUTCMonth() + 1, 0)
    return { from: `${month}-01`, to: end.toISOString().slice(0, 10) }
  }
  if (month === undefined && from !== undefined && to !== undefined) return { from, to }
  throw new Refusal('invalid_request', 'Give month, or from and to.')
}
