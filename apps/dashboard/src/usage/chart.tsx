import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { useWidth } from '../ui/use-width.ts'
import type { DailyUsage } from './daily-usage.ts'

const [height, left, bottom, top] = [260, 44, 24, 14]
const minBarHeight = 2

/** A bar per day and a line for the quota. The table below it has the same figures for screen readers. */
export function Chart({ days, quota }: { days: readonly DailyUsage[]; quota: number }) {
  const text = useTexts().usage
  const formats = useFormats()
  const [svg, width] = useWidth()
  const maxValue = Math.max(quota, ...days.map(({ created }) => created), 1) * 1.08
  const y = (value: number) => top + (height - top - bottom) * (1 - value / maxValue)
  // A small count stays visible.
  const barHeight = (created: number) => (created === 0 ? 0 : Math.max(minBarHeight, y(0) - y(created)))
  const step = (width - left) / days.length
  return (
    <svg
      ref={svg}
      role="img"
      aria-label={formats.count(text.chart, days.length, { quota: formats.integer(quota) })}
      className="h-65 w-full text-soft"
    >
      {[0, quota / 2].map((value) => (
        <g key={value}>
          <line x1={left} x2={width} y1={y(value)} y2={y(value)} className="stroke-line" />
          <text x={left - 8} y={y(value) + 4} textAnchor="end" className="fill-current text-[11px] tabular">
            {formats.compact(value)}
          </text>
        </g>
      ))}
      {days.map(({ day, created }, index) => (
        <g key={day}>
          <title>
            {fillIn(text.bar, {
              day: formats.utcDay(new Date(day), 'short'),
              created: formats.integer(created),
            })}
          </title>
          <rect
            x={left + index * step + step * 0.16}
            width={step * 0.68}
            y={y(0) - barHeight(created)}
            height={barHeight(created)}
            rx="2"
            className={index === days.length - 1 ? 'fill-accent' : 'fill-accent/55'}
          />
          {index % 7 === days.length % 7 && (
            <text
              x={left + (index + 0.5) * step}
              y={height - 6}
              textAnchor="middle"
              className="fill-current text-[11px]"
            >
              {formats.utcDay(new Date(day), 'short')}
            </text>
          )}
        </g>
      ))}
      <line x1={left} x2={width} y1={y(quota)} y2={y(quota)} className="stroke-bad" strokeDasharray="5 4" />
      <text x={width} y={y(quota) - 5} textAnchor="end" className="fill-bad text-[11px] font-medium">
        {fillIn(text.daily_quota, { quota: formats.compact(quota) })}
      </text>
    </svg>
  )
}
