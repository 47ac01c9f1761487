import type { DayFigures } from '@vidimus/contract'
import { useFormats, useTexts } from '../../texts/texts-context.ts'
import { Table, type Column } from '../../ui/table.tsx'

const counted = ['completed', 'failed', 'declined', 'expired', 'pending'] as const

/** Everything that the charts show, as text. */
export function DayTable({ days }: { days: readonly DayFigures[] }) {
  const { table: text, outcomes } = useTexts().figures
  const formats = useFormats()
  const count = (title: string, read: (day: DayFigures) => number): Column<DayFigures> => ({
    title,
    end: true,
    cell: (day) => <span className="whitespace-nowrap tabular">{formats.integer(read(day))}</span>,
  })
  const time = (title: string, read: (day: DayFigures) => number | undefined): Column<DayFigures> => ({
    title,
    end: true,
    cell: (day) => {
      const seconds = read(day)
      return (
        <span className="whitespace-nowrap tabular">
          {seconds === undefined ? '–' : formats.seconds(seconds)}
        </span>
      )
    },
  })
  return (
    <details>
      <summary className="mb-3 w-fit cursor-pointer rounded-sm text-sm font-medium">{text.show}</summary>
      <div className="overflow-x-auto">
        <Table
          caption={text.caption}
          rows={days.toReversed()}
          rowKey={({ day }) => day}
          columns={[
            {
              title: text.day,
              rowHeader: true,
              cell: ({ day }) => (
                <span className="whitespace-nowrap">{formats.utcDay(new Date(day), 'short')}</span>
              ),
            },
            count(text.created, ({ created }) => created),
            count(text.opened, ({ opened }) => opened),
            ...counted.map((outcome) => count(outcomes[outcome], (day) => day[outcome])),
            time(text.median, ({ median_seconds }) => median_seconds),
            time(text.p95, ({ p95_seconds }) => p95_seconds),
          ]}
        />
      </div>
    </details>
  )
}
