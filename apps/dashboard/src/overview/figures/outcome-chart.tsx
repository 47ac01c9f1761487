import { useId, type ReactNode } from 'react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useFormats, useSharedTexts } from '../../texts/texts-context.ts'
import { Card } from '../../ui/page.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { Axes, chartScale, chartSize } from './axes.tsx'
import { DayStops, type DayStopProps } from './day-stops.tsx'
import { countTicks } from './ticks.ts'

type Outcome = 'completed' | 'failed' | 'declined' | 'expired' | 'pending'
export type OutcomeCounts = Readonly<Record<Outcome | 'created', number>>
export type OutcomeDay = OutcomeCounts & { day: string }

/** From the bottom up. Each has a colour and a pattern, so that the colour alone carries no meaning. */
const outcomes: Record<Outcome, { fill: string; stroke: string; pattern: string | undefined }> = {
  completed: { fill: 'fill-good', stroke: 'stroke-good', pattern: undefined },
  failed: { fill: 'fill-bad', stroke: 'stroke-bad', pattern: 'M0 6 L6 0' },
  declined: { fill: 'fill-wait', stroke: 'stroke-wait', pattern: 'M0 3 H6' },
  expired: { fill: 'fill-edge', stroke: 'stroke-edge', pattern: 'M3 0 V6' },
  pending: { fill: 'fill-accent', stroke: 'stroke-accent', pattern: 'M0 3 H6 M3 0 V6' },
}
const order = Object.keys(outcomes) as Outcome[]

type BarsProps = {
  days: readonly OutcomeDay[]
  /** The days of the same length just before, if they are known. */
  previous?: readonly OutcomeDay[] | undefined
  /** The element over each day. */
  stop: (day: OutcomeDay, props: DayStopProps) => ReactNode
}

type OutcomeChartProps = BarsProps & { total: OutcomeCounts; note?: ReactNode; actions?: ReactNode }

/** A bar for each day, divided by outcome, with a legend that has the sums. A dashed line is the same day of the range before. */
export function OutcomeChart({ days, total, previous, stop, note, actions }: OutcomeChartProps) {
  const texts = useSharedTexts().figures
  const text = texts.outcome_chart
  const formats = useFormats()
  const sums = Object.fromEntries(order.map((outcome) => [outcome, formats.integer(total[outcome])]))
  const label = fillIn(text.label, {
    ...sums,
    created: formats.integer(total.created),
    days: formats.count(texts.days, days.length),
  })
  return (
    <Card title={text.title} description={text.description} actions={actions}>
      {note}
      <Bars days={days} previous={previous} stop={stop} label={label} />
      <Legend total={total} previous={previous} />
    </Card>
  )
}

function Bars({ days, previous, stop, label }: BarsProps & { label: string }) {
  const [svg, width] = useWidth()
  const patterns = useId()
  const texts = useSharedTexts().figures
  const formats = useFormats()
  const ticks = countTicks(Math.max(...[...days, ...(previous ?? [])].map(({ created }) => created)))
  const { x, y, step } = chartScale(width, days.length, ticks.at(-1) ?? 1)
  const barWidth = Math.max(1.5, Math.min(step * 0.7, 36))
  return (
    <div className="relative">
      <svg ref={svg} role="img" aria-label={label} height={chartSize.height} className="w-full text-soft">
        <Patterns prefix={patterns} />
        <Axes
          width={width}
          days={days}
          ticks={ticks}
          formatValue={(value) => (value < 100_000 ? formats.integer(value) : formats.compact(value))}
        />
        {days.map((day, index) => (
          <g key={day.day}>
            {stack(day).map(({ outcome, from, to }) => (
              <Segment
                key={outcome}
                outcome={outcome}
                prefix={patterns}
                box={{ x: x(index) - barWidth / 2, y: y(to), width: barWidth, height: y(from) - y(to) }}
              />
            ))}
            {previous?.[index] !== undefined && (
              <line
                x1={x(index) - barWidth / 2 - 3}
                x2={x(index) + barWidth / 2 + 3}
                y1={y(previous[index].created)}
                y2={y(previous[index].created)}
                strokeWidth="1.5"
                strokeDasharray="3 2"
                className="stroke-ink"
              />
            )}
          </g>
        ))}
      </svg>
      <DayStops
        days={days}
        width={width}
        stop={stop}
        label={(day) =>
          order.map((outcome) => `${texts.outcomes[outcome]} ${formats.integer(day[outcome])}`).join(', ')
        }
        tooltip={(day, index) => <DayTooltip day={day} before={previous?.[index]} />}
      />
    </div>
  )
}

function DayTooltip({ day, before }: { day: OutcomeDay; before: OutcomeDay | undefined }) {
  const texts = useSharedTexts().figures
  const formats = useFormats()
  return (
    <>
      {order
        .filter((outcome) => day[outcome] > 0)
        .map((outcome) => (
          <p key={outcome} className="flex justify-between gap-4">
            <span>{texts.outcomes[outcome]}</span>
            <span className="font-medium tabular">{formats.integer(day[outcome])}</span>
          </p>
        ))}
      <p className="border-t border-line pt-1.5 text-soft">
        {formats.count(texts.in_all, day.created)}
        {before !== undefined && (
          <>
            {'; '}
            {fillIn(texts.day_before, {
              day: formats.utcDay(new Date(before.day), 'short'),
              created: formats.integer(before.created),
            })}
          </>
        )}
      </p>
    </>
  )
}

function stack(day: OutcomeCounts): { outcome: Outcome; from: number; to: number }[] {
  let from = 0
  return order.flatMap((outcome) => {
    const to = from + day[outcome]
    const segment = { outcome, from, to }
    from = to
    return day[outcome] === 0 ? [] : [segment]
  })
}

type Box = { x: number; y: number; width: number; height: number }

function Segment({ outcome, prefix, box }: { outcome: Outcome; prefix: string; box: Box }) {
  const { fill, stroke, pattern } = outcomes[outcome]
  if (pattern === undefined) return <rect {...box} className={fill} />
  return (
    <>
      <rect {...box} className={`${fill} opacity-25`} />
      <rect {...box} fill={`url(#${prefix}${outcome})`} strokeWidth="1" className={stroke} />
    </>
  )
}

function Patterns({ prefix }: { prefix: string }) {
  return (
    <defs>
      {order.map((outcome) => (
        <pattern key={outcome} id={`${prefix}${outcome}`} width="6" height="6" patternUnits="userSpaceOnUse">
          <path d={outcomes[outcome].pattern} strokeWidth="1.6" className={outcomes[outcome].stroke} />
        </pattern>
      ))}
    </defs>
  )
}

function Legend({ total, previous }: { total: OutcomeCounts; previous: readonly OutcomeDay[] | undefined }) {
  const texts = useSharedTexts().figures
  const formats = useFormats()
  const patterns = useId()
  return (
    <ul className="mt-4 flex flex-wrap gap-x-6 gap-y-2 text-sm">
      {order.map((outcome) => (
        <li key={outcome} className="flex items-center gap-2">
          <svg width="14" height="14" aria-hidden>
            <Patterns prefix={patterns} />
            <Segment outcome={outcome} prefix={patterns} box={{ x: 0.5, y: 0.5, width: 13, height: 13 }} />
          </svg>
          {texts.outcomes[outcome]}
          <span className="font-medium tabular">{formats.integer(total[outcome])}</span>
        </li>
      ))}
      {previous !== undefined && (
        <li className="flex items-center gap-2">
          <svg width="24" height="8" aria-hidden>
            <line
              x1="0"
              x2="24"
              y1="4"
              y2="4"
              strokeWidth="1.5"
              strokeDasharray="3 2"
              className="stroke-ink"
            />
          </svg>
          {formats.count(texts.days_before, previous.length)}
          <span className="font-medium tabular">
            {formats.integer(previous.reduce((sum, { created }) => sum + created, 0))}
          </span>
        </li>
      )}
    </ul>
  )
}
