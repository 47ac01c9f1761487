import type { DayFigures } from '@vidimus/contract'
import { useFormats } from '../../texts/texts-context.ts'

/** `left` has room for the widest label: counts from 100,000 are abbreviated. */
export const chartSize = { height: 240, left: 56, bottom: 24, top: 12 } as const
const labelWidth = 64

/** Where the middle of each day is, and the height of a value. */
export function chartScale(width: number, days: number, maxValue: number) {
  const { height, left, bottom, top } = chartSize
  const step = (width - left) / days
  return {
    step,
    x: (index: number) => left + (index + 0.5) * step,
    y: (value: number) => top + (height - top - bottom) * (1 - value / maxValue),
  }
}

type AxesProps = {
  width: number
  days: readonly Pick<DayFigures, 'day'>[]
  ticks: readonly number[]
  formatValue: (value: number) => string
}

/** A line with its value for each tick, and as many days as fit. */
export function Axes({ width, days, ticks, formatValue }: AxesProps) {
  const formats = useFormats()
  const { height, left } = chartSize
  const { x, y, step } = chartScale(width, days.length, ticks.at(-1) ?? 1)
  const every = Math.ceil(labelWidth / step)
  return (
    <>
      {ticks.map((value) => (
        <g key={value}>
          <line x1={left} x2={width} y1={y(value)} y2={y(value)} className="stroke-line" />
          <text x={left - 8} y={y(value) + 4} textAnchor="end" className="fill-current text-[11px] tabular">
            {formatValue(value)}
          </text>
        </g>
      ))}
      {days.map(({ day }, index) =>
        (days.length - 1 - index) % every === 0 ? (
          <text
            key={day}
            x={Math.min(x(index), width - labelWidth / 3)}
            y={height - 6}
            textAnchor="middle"
            className="fill-current text-[11px]"
          >
            {formats.utcDay(new Date(day), 'short')}
          </text>
        ) : null,
      )}
    </>
  )
}
