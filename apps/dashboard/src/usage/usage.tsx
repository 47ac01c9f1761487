import { Download } from 'lucide-react'
import { operationUrl } from '../api/call.ts'
import { useOperationQuery } from '../api/queries.ts'
import { buttonClasses } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card, Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Table } from '../ui/table.tsx'
import { Chart } from './chart.tsx'
import { toDailyUsage } from './daily-usage.ts'

const integerFormat = new Intl.NumberFormat()
const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' })

export function Usage() {
  const usage = useOperationQuery('getUsage', {})
  const { data } = usage
  const days = data === undefined ? [] : toDailyUsage(data)
  return (
    <Page
      title="Usage"
      description="Verifications created per UTC day. Test and live share one quota, which resets at midnight UTC."
      actions={
        <a href={operationUrl('exportUsage', {})} download="usage.csv" className={buttonClasses()}>
          <Download className="size-4" aria-hidden /> Download CSV
        </a>
      }
    >
      {usage.error !== null && <ErrorMessage error={usage.error} retry={() => void usage.refetch()} />}
      {usage.isPending && <Skeleton className="h-96 w-full rounded-lg" />}
      {data !== undefined && (
        <div className="grid gap-6">
          <Card>
            <p className="mb-5">
              <span className="font-serif text-3xl font-medium tabular">
                {integerFormat.format(data.verifications_created)}
              </span>{' '}
              <span className="text-soft">
                of {integerFormat.format(data.daily_quota)} today, {integerFormat.format(data.remaining)}{' '}
                remaining
              </span>
            </p>
            <Chart days={days} quota={data.daily_quota} />
          </Card>
          <details>
            <summary className="mb-3 w-fit cursor-pointer rounded-sm text-sm font-medium">
              Show as table
            </summary>
            <Table
              caption="Verifications created by day"
              rows={days.toReversed()}
              rowKey={({ day }) => day}
              columns={[
                { title: 'Day', rowHeader: true, cell: ({ day }) => dayFormat.format(new Date(day)) },
                {
                  title: 'Created',
                  end: true,
                  cell: ({ created }) => <span className="tabular">{integerFormat.format(created)}</span>,
                },
              ]}
            />
          </details>
        </div>
      )}
    </Page>
  )
}
