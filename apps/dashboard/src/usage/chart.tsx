import type { UsedDay } from './last-days.ts'

const [width, height, left, bottom, top] = [720, 240, 44, 24, 14]
const whole = new Intl.NumberFormat(undefined, { notation: 'compact' })
const dayName = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** Thirty bars and the line of the quota. Its twin, the table, says the same to those who cannot see it. */
export function Chart({ days, quota }: { days: readonly UsedDay[]; quota: number }) {
  const most = Math.max(quota, ...days.map(({ created }) => created), 1) * 1.08
  const y = (value: number) => top + (height - top - bottom) * (1 - value / most)
  const step = (width - left) / days.length
  return (
    <svg
      role="img"
      aria-label={`Verifications created on each of the last ${days.length} days, with the daily quota of ${quota}. The table below has the figures.`}
      viewBox={`0 0 ${width} ${height}`}
      className="w-full text-soft"
    >
      {[0, quota / 2].map((value) => (
        <g key={value}>
          <line x1={left} x2={width} y1={y(value)} y2={y(value)} className="stroke-line" />
          <text x={left - 8} y={y(value) + 4} textAnchor="end" className="fill-current text-[11px] tabular">
            {whole.format(value)}
          </text>
        </g>
      ))}
      {days.map(({ day, created }, index) => (
        <g key={day}>
          <title>{`${dayName.format(new Date(day))}: ${created}`}</title>
          <rect
            x={left + index * step + step * 0.16}
            width={step * 0.68}
            y={y(created)}
            height={Math.max(0, y(0) - y(created))}
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
              {dayName.format(new Date(day))}
            </text>
          )}
        </g>
      ))}
      <line x1={left} x2={width} y1={y(quota)} y2={y(quota)} className="stroke-bad" strokeDasharray="5 4" />
      <text x={width} y={y(quota) - 5} textAnchor="end" className="fill-bad text-[11px] font-medium">
        daily quota {whole.format(quota)}
      </text>
    </svg>
  )
}
