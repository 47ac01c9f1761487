import { useId } from 'react'
import type { DayFigures, FigureCounts, Figures } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useFormats, useTexts } from '../../texts/texts-context.ts'
import { Card } from '../../ui/page.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { Axes, chartScale, chartSize, roundUp } from './axes.tsx'

type Outcome = 'completed' | 'failed' | 'declined' | 'expired' | 'pending'

/** From the bottom up. Each has a colour and a pattern, so that the colour alone carries no meaning. */
const outcomes: Record<Outcome, { fill: string; stroke: string; pattern: string | undefined }> = {
  completed: { fill: 'fill-good', stroke: 'stroke-good', pattern: undefined },
  failed: { fill: 'fill-bad', stroke: 'stroke-bad', pattern: 'M0 6 L6 0' },
  declined: { fill: 'fill-wait', stroke: 'stroke-wait', pattern: 'M0 3 H6' },
  expired: { fill: 'fill-edge', stroke: 'stroke-edge', pattern: 'M3 0 V6' },
  pending: { fill: 'fill-accent', stroke: 'stroke-accent', pattern: 'M0 3 H6 M3 0 V6' },
}
const order = Object.keys(outcomes) as Outcome[]

/** A bar for each day, divided by outcome, with a legend that has the sums. */
export function OutcomeChart({ figures: { days, total, sampled } }: { figures: Figures }) {
  const texts = useTexts().figures
  const text = texts.outcome_chart
  const formats = useFormats()
  const sums = Object.fromEntries(order.map((outcome) => [outcome, formats.integer(total[outcome])]))
  const label = fillIn(text.label, {
    ...sums,
    created: formats.integer(total.created),
    days: formats.count(texts.days, days.length),
  })
  return (
    <Card title={text.title} description={text.description}>
      {sampled && <p className="mb-3 text-sm text-wait">{text.sampled}</p>}
      <Bars days={days} label={label} />
      <Legend total={total} />
    </Card>
  )
}

function Bars({ days, label }: { days: readonly DayFigures[]; label: string }) {
  const [svg, width] = useWidth()
  const patterns = useId()
  const texts = useTexts().figures
  const formats = useFormats()
  const maxValue = roundUp(Math.max(1, ...days.map(({ created }) => created)))
  const { x, y, step } = chartScale(width, days.length, maxValue)
  const barWidth = Math.max(1.5, Math.min(step * 0.7, 36))
  return (
    <svg ref={svg} role="img" aria-label={label} height={chartSize.height} className="w-full text-soft">
      <Patterns prefix={patterns} />
      <Axes width={width} days={days} maxValue={maxValue} formatValue={formats.integer} />
      {days.map((day, index) => (
        <g key={day.day}>
          <title>
            {`${formats.utcDay(new Date(day.day), 'full')}: ${order.map((outcome) => `${texts.outcomes[outcome]} ${formats.integer(day[outcome])}`).join(', ')}`}
          </title>
          {stack(day).map(({ outcome, from, to }) => (
            <Segment
              key={outcome}
              outcome={outcome}
              prefix={patterns}
              box={{ x: x(index) - barWidth / 2, y: y(to), width: barWidth, height: y(from) - y(to) }}
            />
          ))}
        </g>
      ))}
    </svg>
  )
}

function stack(day: FigureCounts): { outcome: Outcome; from: number; to: number }[] {
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

function Legend({ total }: { total: FigureCounts }) {
  const texts = useTexts().figures.outcomes
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
          {texts[outcome]}
          <span className="font-medium tabular">{formats.integer(total[outcome])}</span>
        </li>
      ))}
    </ul>
  )
}
