import { useState } from 'react'
import type { UsageRow } from '@vidimus/contract'
import { OutcomeChart, type OutcomeCounts, type OutcomeDay } from '../../overview/figures/outcome-chart.tsx'
import { useFormats } from '../../texts/texts-context.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Table } from '../../ui/table.tsx'
import { useOperationQuery } from '../api.ts'
import { useConsoleTexts } from '../texts/console-texts.ts'

const dayCount = 30
const day_ms = 86_400_000
const counted = ['created', 'completed', 'failed', 'declined', 'expired', 'pending'] as const

/** What a tenant created in the last thirty days, by outcome, test and live apart. */
export function TenantUsage({ tenant_id }: { tenant_id: string }) {
  const { common, tenant } = useConsoleTexts()
  const text = tenant.usage
  const [environment, setEnvironment] = useState<UsageRow['environment']>('live')
  const [{ from, to }] = useState(lastDays)
  const usage = useOperationQuery('listUsage', {
    query: { tenant_id, from, to, environment, by_day: 'true' },
  })
  if (usage.error !== null) return <ErrorMessage error={usage.error} retry={() => void usage.refetch()} />
  if (usage.data === undefined) return <Skeleton className="h-80 w-full rounded-lg" />
  const days = fillDays(from, usage.data.data)
  return (
    <>
      <OutcomeChart
        days={days}
        total={sumDays(days)}
        actions={
          <Segments
            label={text.environment}
            value={environment}
            onChange={setEnvironment}
            options={[
              { value: 'live', label: common.environments.live },
              { value: 'test', label: common.environments.test },
            ]}
          />
        }
        stop={(_, props) => <span role="img" {...props} />}
      />
      <UsageTable days={days} />
    </>
  )
}

function UsageTable({ days }: { days: readonly OutcomeDay[] }) {
  const { figures } = useConsoleTexts()
  const formats = useFormats()
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-sm text-sm font-medium">{figures.table.show}</summary>
      <div className="mt-3">
        <Table
          caption={figures.table.caption}
          rows={days.toReversed()}
          rowKey={({ day }) => day}
          columns={[
            {
              title: figures.table.day,
              rowHeader: true,
              cell: ({ day }) => (
                <span className="whitespace-nowrap">{formats.utcDay(new Date(day), 'short')}</span>
              ),
            },
            ...counted.map((name) => ({
              title: name === 'created' ? figures.table.created : figures.outcomes[name],
              end: true as const,
              cell: (day: OutcomeDay) => <span className="tabular">{formats.integer(day[name])}</span>,
            })),
          ]}
        />
      </div>
    </details>
  )
}

/** Days are in UTC. */
function lastDays(): { from: string; to: string } {
  const today = Date.now()
  const day = (time: number) => new Date(time).toISOString().slice(0, 10)
  return { from: day(today - (dayCount - 1) * day_ms), to: day(today) }
}

/** The service lists only days with usage; the others are zero. */
function fillDays(from: string, rows: readonly UsageRow[]): OutcomeDay[] {
  const rowByDay = new Map(rows.map((row) => [row.from, row]))
  return Array.from({ length: dayCount }, (_, index) => {
    const day = new Date(Date.parse(from) + index * day_ms).toISOString().slice(0, 10)
    return { day, ...pickCounts(rowByDay.get(day)) }
  })
}

function pickCounts(row: OutcomeCounts | undefined): OutcomeCounts {
  const { created = 0, completed = 0, failed = 0, declined = 0, expired = 0, pending = 0 } = row ?? {}
  return { created, completed, failed, declined, expired, pending }
}

function sumDays(days: readonly OutcomeDay[]): OutcomeCounts {
  const sum = (name: (typeof counted)[number]) => days.reduce((total, day) => total + day[name], 0)
  return {
    created: sum('created'),
    completed: sum('completed'),
    failed: sum('failed'),
    declined: sum('declined'),
    expired: sum('expired'),
    pending: sum('pending'),
  }
}
