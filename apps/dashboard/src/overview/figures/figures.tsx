import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { DayFigures, Figures as FiguresData, Overview } from '@vidimus/contract'
import { operationQuery } from '../../api/queries.ts'
import { useEnvironment } from '../../shell/shell-context.ts'
import { useFormats, useTexts } from '../../texts/texts-context.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { failureLabel } from '../../verifications/labels.ts'
import { useDayLink } from './day-links.tsx'
import { DayTable } from './day-table.tsx'
import { FigureFilter, type FigureChoice } from './figure-filter.tsx'
import { Funnel } from './funnel.tsx'
import { KeyFigures } from './key-figures.tsx'
import { OutcomeChart } from './outcome-chart.tsx'
import { TimeChart } from './time-chart.tsx'

const refreshInterval_ms = 60_000

/** Outcomes, times to answer and the funnel of a range of days, for all verifications or those of a template or device. */
export function Figures({ overview }: { overview: Overview }) {
  const environment = useEnvironment()
  const [choice, setChoice] = useState<FigureChoice>({ days: '7' })
  const figures = useQuery({
    ...operationQuery('getFigures', { params: { environment }, query: choice }),
    // The charts stay while another range loads.
    placeholderData: keepPreviousData,
    staleTime: refreshInterval_ms,
    refetchInterval: refreshInterval_ms,
  })
  const { data } = figures
  const previous = usePreviousDays(choice)
  const dayLink = useDayLink(choice)
  const text = useTexts().figures
  return (
    <div className="grid gap-4">
      <FigureFilter choice={choice} figures={data} onChange={setChoice} />
      {figures.error !== null && <ErrorMessage error={figures.error} retry={() => void figures.refetch()} />}
      {figures.isPending && <FigureSkeletons />}
      {data !== undefined && (
        <div className="grid gap-4" aria-busy={figures.isPlaceholderData}>
          <KeyFigures overview={overview} total={data.total} today={data.days.at(-1)} />
          <OutcomeChart
            days={data.days}
            total={data.total}
            previous={previous}
            stop={dayLink}
            note={data.sampled && <p className="mb-3 text-sm text-wait">{text.outcome_chart.sampled}</p>}
          />
          <div className="grid gap-4 lg:grid-cols-2">
            <Funnel total={data.total} />
            <Failures failures={data.top_failures} />
          </div>
          <TimeChart figures={data} choice={choice} />
          <DayTable days={data.days} />
        </div>
      )}
    </div>
  )
}

/** As tall as the figures and the chart, with the outline of bars. */
export function FigureSkeletons() {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {['quota', 'success', 'time', 'webhooks'].map((figure) => (
          <div key={figure} className="grid h-36 content-start gap-3 rounded-lg border border-line p-5">
            <Skeleton className="h-4 w-28" />
            <Skeleton className="h-8 w-20" />
            <Skeleton className="h-4 w-36" />
          </div>
        ))}
      </div>
      <div className="grid gap-4 rounded-lg border border-line p-5 sm:p-6">
        <Skeleton className="h-4 w-40" />
        <div className="flex h-60 items-end justify-around gap-2 border-b border-line">
          {['h-40', 'h-48', 'h-32', 'h-24', 'h-44', 'h-28', 'h-36'].map((height) => (
            <Skeleton key={height} className={`w-9 ${height}`} />
          ))}
        </div>
        <Skeleton className="h-4 w-64" />
      </div>
    </>
  )
}

/** The next longer range has the range before, too. There is none for the longest. */
const longerRanges = { '7': '30', '30': '90', '90': undefined } as const

/** The days just before the chosen range, as many as it has. */
function usePreviousDays(choice: FigureChoice): readonly DayFigures[] | undefined {
  const environment = useEnvironment()
  const longer = longerRanges[choice.days]
  const figures = useQuery({
    ...operationQuery('getFigures', {
      params: { environment },
      query: { ...choice, days: longer ?? choice.days },
    }),
    enabled: longer !== undefined,
    staleTime: refreshInterval_ms,
  })
  const count = Number(choice.days)
  return longer === undefined ? undefined : figures.data?.days.slice(-2 * count, -count)
}

function Failures({ failures }: { failures: FiguresData['top_failures'] }) {
  const { figures, verifications } = useTexts()
  const text = figures.failures
  const formats = useFormats()
  const environment = useEnvironment()
  return (
    <Card title={text.title} description={text.description}>
      {failures.length === 0 ? (
        <p className="text-sm text-soft">{text.none}</p>
      ) : (
        <ul className="grid gap-3 text-sm">
          {failures.map(({ code, count }) => (
            <li key={code} className="flex items-baseline justify-between gap-4">
              <Link
                to="/$environment/verifications"
                params={{ environment }}
                search={{ error_code: code }}
                className="min-w-0 text-accent underline-offset-4 hover:underline"
              >
                {failureLabel(code, verifications)}
              </Link>
              <span className="tabular">{formats.integer(count)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
