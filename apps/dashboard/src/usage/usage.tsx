import { Download } from 'lucide-react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { operationUrl } from '../api/call.ts'
import { useOperationQuery } from '../api/queries.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { buttonClasses } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card, Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Table } from '../ui/table.tsx'
import { Chart } from './chart.tsx'
import { toDailyUsage } from './daily-usage.ts'

export function Usage() {
  const { usage: text, common } = useTexts()
  const formats = useFormats()
  const usage = useOperationQuery('getUsage', {})
  const { data } = usage
  const days = data === undefined ? [] : toDailyUsage(data)
  return (
    <Page
      title={text.title}
      description={text.description}
      actions={
        <a href={operationUrl('exportUsage', {})} download="usage.csv" className={buttonClasses()}>
          <Download className="size-4" aria-hidden /> {text.download}
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
                {formats.integer(data.verifications_created)}
              </span>{' '}
              <span className="text-soft">
                {fillIn(text.today, {
                  quota: formats.integer(data.daily_quota),
                  remaining: formats.integer(data.remaining),
                })}
              </span>
            </p>
            <Chart days={days} quota={data.daily_quota} />
          </Card>
          <details>
            <summary className="mb-3 w-fit cursor-pointer rounded-sm text-sm font-medium">
              {text.show_table}
            </summary>
            <Table
              caption={text.table_caption}
              rows={days.toReversed()}
              rowKey={({ day }) => day}
              columns={[
                {
                  title: text.day,
                  rowHeader: true,
                  cell: ({ day }) => formats.utcDay(new Date(day), 'full'),
                },
                {
                  title: common.created,
                  end: true,
                  cell: ({ created }) => <span className="tabular">{formats.integer(created)}</span>,
                },
              ]}
            />
          </details>
        </div>
      )}
    </Page>
  )
}
