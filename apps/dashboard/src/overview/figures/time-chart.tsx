import type { DayFigures, Figures } from '@vidimus/contract'
import type { Formats } from '../../texts/formats.ts'
import { useFormats, useTexts } from '../../texts/texts-context.ts'
import { Card } from '../../ui/page.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { Axes, chartScale, chartSize, roundUp } from './axes.tsx'

const series = [
  { member: 'median_seconds', stroke: 'stroke-accent', fill: 'fill-accent', dash: undefined },
  { member: 'p95_seconds', stroke: 'stroke-wait', fill: 'fill-wait', dash: '5 4' },
] as const

/** The median and the 95th percentile of each day as lines, with gaps on days without answers. */
export function TimeChart({ figures: { days, total } }: { figures: Figures }) {
  const text = useTexts().figures.time_chart
  return (
    <Card title={text.title} description={text.description}>
      {total.median_seconds === undefined ? (
        <p className="text-sm text-soft">{text.none}</p>
      ) : (
        <>
          <Lines days={days} />
          <Legend />
        </>
      )}
    </Card>
  )
}

function Lines({ days }: { days: readonly DayFigures[] }) {
  const [svg, width] = useWidth()
  const text = useTexts().figures.time_chart
  const formats = useFormats()
  const maxValue = roundUp(Math.max(1, ...days.map(({ p95_seconds = 0 }) => p95_seconds)))
  const { x, y } = chartScale(width, days.length, maxValue)
  return (
    <svg ref={svg} role="img" aria-label={text.label} height={chartSize.height} className="w-full text-soft">
      <Axes
        width={width}
        days={days}
        maxValue={maxValue}
        formatValue={(seconds) => shortTime(seconds, formats)}
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
              >
                <title>{`${formats.utcDay(new Date(day.day), 'full')}: ${formats.seconds(day[member])}`}</title>
              </circle>
            ),
          )}
        </g>
      ))}
    </svg>
  )
}

/** "30 s" or "1.5 min": short enough for an axis. */
function shortTime(seconds: number, formats: Formats): string {
  if (seconds < 60) return `${formats.integer(seconds)} s`
  return `${formats.decimal(seconds / 60, seconds % 60 === 0 ? 0 : 1)} min`
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
