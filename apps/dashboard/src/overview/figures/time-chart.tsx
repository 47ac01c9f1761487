import type { DayFigures, Figures } from '@vidimus/contract'
import { useFormats, useTexts } from '../../texts/texts-context.ts'
import { Card } from '../../ui/page.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { Axes, chartScale, chartSize } from './axes.tsx'
import { useDayLink } from './day-links.tsx'
import { DayStops } from './day-stops.tsx'
import type { FigureChoice } from './figure-filter.tsx'
import { timeTicks, unitOf } from './ticks.ts'

const series = [
  { member: 'median_seconds', stroke: 'stroke-accent', fill: 'fill-accent', dash: undefined },
  { member: 'p95_seconds', stroke: 'stroke-wait', fill: 'fill-wait', dash: '5 4' },
] as const

/** The median and the 95th percentile of each day as lines, with gaps on days without answers. */
export function TimeChart({ figures: { days, total }, choice }: { figures: Figures; choice: FigureChoice }) {
  const text = useTexts().figures.time_chart
  return (
    <Card title={text.title} description={text.description}>
      {total.median_seconds === undefined ? (
        <p className="text-sm text-soft">{text.none}</p>
      ) : (
        <>
          <Lines days={days} choice={choice} />
          <Legend />
        </>
      )}
    </Card>
  )
}

function Lines({ days, choice }: { days: readonly DayFigures[]; choice: FigureChoice }) {
  const [svg, width] = useWidth()
  const text = useTexts().figures.time_chart
  const formats = useFormats()
  const ticks = timeTicks(Math.max(...days.map(({ p95_seconds = 0 }) => p95_seconds)))
  const unit = unitOf(ticks)
  const names = { median_seconds: text.median, p95_seconds: text.p95 }
  const time = (seconds: number | undefined) => (seconds === undefined ? '–' : formats.seconds(seconds))
  const { x, y } = chartScale(width, days.length, ticks.at(-1) ?? 1)
  return (
    <div className="relative">
      <svg
        ref={svg}
        role="img"
        aria-label={text.label}
        height={chartSize.height}
        className="w-full text-soft"
      >
        <Axes
          width={width}
          days={days}
          ticks={ticks}
          formatValue={(seconds) => `${formats.integer(seconds / unit.seconds)} ${unit.name}`}
        />
        {series.map(({ member, stroke, fill, dash }) => (
          <g key={member}>
            <path
              d={linePath(
                days.map((day) => day[member]),
                x,
                y,
              )}
              fill="none"
              strokeWidth="2"
              strokeDasharray={dash}
              className={stroke}
            />
            {days.map((day, index) =>
              day[member] === undefined ? null : (
                <circle
                  key={day.day}
                  cx={x(index)}
                  cy={y(day[member])}
                  r={days.length > 30 ? 2 : 3}
                  className={fill}
                />
              ),
            )}
          </g>
        ))}
      </svg>
      <DayStops
        days={days}
        width={width}
        stop={useDayLink(choice)}
        label={(day) => series.map(({ member }) => `${names[member]} ${time(day[member])}`).join(', ')}
        tooltip={(day) =>
          series.map(({ member }) => (
            <p key={member} className="flex justify-between gap-4">
              <span>{names[member]}</span>
              <span className="font-medium tabular">{time(day[member])}</span>
            </p>
          ))
        }
      />
    </div>
  )
}

/** Starts again after a day without a value. */
function linePath(
  values: readonly (number | undefined)[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  return values
    .map((value, index) => {
      if (value === undefined) return ''
      return `${values[index - 1] === undefined ? 'M' : 'L'}${x(index)} ${y(value)}`
    })
    .join('')
}

function Legend() {
  const text = useTexts().figures.time_chart
  return (
    <ul className="mt-4 flex flex-wrap gap-x-6 gap-y-2 text-sm">
      {series.map(({ member, stroke, dash }) => (
        <li key={member} className="flex items-center gap-2">
          <svg width="24" height="8" aria-hidden>
            <line x1="0" x2="24" y1="4" y2="4" strokeWidth="2" strokeDasharray={dash} className={stroke} />
          </svg>
          {member === 'median_seconds' ? text.median : text.p95}
        </li>
      ))}
    </ul>
  )
}
