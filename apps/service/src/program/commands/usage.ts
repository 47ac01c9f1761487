import { once } from 'node:events'
import { type UsageEntry, listUsage } from '../../accounts/index.ts'
import { csvLine } from '../../engine/formats/index.ts'
import { command, UsageError } from './command.ts'
import { jsonLinesOption, parseUuid } from './options.ts'
import { withContext } from './with-context.ts'

export const usageCommand = command({
  options: {
    month: { type: 'string', description: 'a month, such as 2026-10' },
    from: { type: 'string', description: 'the first day in UTC, such as 2026-10-01' },
    to: { type: 'string', description: 'the last day' },
    tenant: { type: 'string', description: "one tenant's id, also of a deleted one (default: all of them)" },
    days: { type: 'boolean', description: 'a row for each day, instead of one for the period' },
    csv: { type: 'boolean', description: 'print CSV' },
    json: jsonLinesOption,
  },
  async run({ values }) {
    const period = readPeriod(values)
    const tenant_id = values.tenant === undefined ? undefined : parseUuid('tenant', values.tenant)
    if (values.csv) await write(csvLine(columns))
    await withContext(async (ctx) => {
      for await (const entry of listUsage(ctx, { ...period, tenant_id, by_day: values.days }))
        await write(render(entry, period, values))
    })
  },
})

const counts = ['created', 'completed', 'failed', 'declined', 'expired', 'pending'] as const
const columns = ['tenant_id', 'name', 'from', 'to', 'environment', ...counts, 'final']

type Period = { from: string; to: string }

function render(
  { name, day, ...entry }: UsageEntry,
  period: Period,
  { csv, json }: { csv: boolean; json: boolean },
): string {
  const [from, to] = [day ?? period.from, day ?? period.to]
  if (json) return `${JSON.stringify({ ...entry, name: name ?? null, from, to })}\n`
  const { tenant_id, environment, final } = entry
  if (csv)
    return csvLine([tenant_id, name, from, to, environment, ...counts.map((count) => entry[count]), final])
  const shown = counts.map((count) => `${count} ${entry[count]}`).join('  ')
  const dates = from === to ? from : `${from} to ${to}`
  return `${tenant_id}  ${dates}  ${environment}  ${shown}${final ? '' : '  (not final)'}  ${name ?? '(deleted)'}\n`
}

/** No faster than the output is read. */
async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

function readPeriod({ month, from, to }: Record<'month' | 'from' | 'to', string | undefined>): Period {
  if (month !== undefined) {
    if (from !== undefined || to !== undefined) throw new UsageError('Give --month, or --from and --to')
    const first = parseDay('--month', `${month}-01`)
    const last = new Date(first)
    last.setUTCMonth(last.getUTCMonth() + 1, 0)
    return { from: toDay(first), to: toDay(last) }
  }
  if (from === undefined || to === undefined) throw new UsageError('Give --month, or --from and --to')
  return { from: toDay(parseDay('--from', from)), to: toDay(parseDay('--to', to)) }
}

function parseDay(option: string, given: string): Date {
  const date = new Date(`${given}T00:00:00Z`)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(given) || Number.isNaN(date.getTime()) || toDay(date) !== given)
    throw new UsageError(`${option} is not a date`)
  return date
}

function toDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}
