import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import type { DayFigures } from '@vidimus/contract'
import { useEnvironment } from '../../shell/shell-context.ts'
import { useFormats } from '../../texts/texts-context.ts'
import { chartScale } from './axes.tsx'
import type { FigureChoice } from './figure-filter.tsx'

const tooltipWidth = 224

type DayLinksProps = {
  days: readonly DayFigures[]
  width: number
  choice: FigureChoice
  label: (day: DayFigures, index: number) => string
  tooltip: (day: DayFigures, index: number) => ReactNode
}

/**
 * Over a chart: each day leads to its verifications, and shows its figures while the pointer or the focus is on it. The chart is one stop
 * of the Tab key, and the arrow keys move between days.
 */
export function DayLinks({ days, width, choice, label, tooltip }: DayLinksProps) {
  const environment = useEnvironment()
  const formats = useFormats()
  const list = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<number>()
  const [stop, setStop] = useState(days.length - 1)
  const { template, device_id } = choice
  const { x, step } = chartScale(width, days.length, 1)
  const last = days.length - 1
  const handleKey = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowLeft: Math.max(0, Math.min(stop, last) - 1),
      ArrowRight: Math.min(last, stop + 1),
      Home: 0,
      End: last,
    }
    const next = moves[event.key]
    if (next === undefined) return
    event.preventDefault()
    list.current?.querySelectorAll('a')[next]?.focus()
  }
  const day = shown === undefined ? undefined : days[shown]
  const rightOfBar = x(shown ?? 0) + step / 2 + 8
  const left = rightOfBar + tooltipWidth <= width ? rightOfBar : x(shown ?? 0) - step / 2 - 8 - tooltipWidth
  return (
    <>
      <div ref={list} className="absolute top-0 right-0 bottom-6 left-14 grid auto-cols-fr grid-flow-col">
        {days.map((each, index) => (
          <Link
            key={each.day}
            to="/$environment/verifications"
            params={{ environment }}
            search={{
              from: each.day,
              to: each.day,
              ...(template !== undefined && template !== '' && { template }),
              ...(device_id !== undefined && { device_id }),
            }}
            preload={false}
            aria-label={`${formats.utcDay(new Date(each.day), 'full')}: ${label(each, index)}`}
            tabIndex={index === Math.min(stop, last) ? 0 : -1}
            onFocus={() => (setStop(index), setShown(index))}
            onBlur={() => setShown(undefined)}
            onKeyDown={handleKey}
            onPointerEnter={() => setShown(index)}
            onPointerLeave={() => setShown(undefined)}
            className="rounded-sm hover:bg-ink/5 focus-visible:bg-ink/5"
          />
        ))}
      </div>
      {day !== undefined && shown !== undefined && (
        <div
          aria-hidden
          style={{ left: Math.max(0, left), width: tooltipWidth }}
          className="pointer-events-none absolute top-3 z-10 grid gap-1.5 rounded-md border border-edge bg-surface p-3 text-sm shadow-float"
        >
          <p className="font-semibold">{formats.utcDay(new Date(day.day), 'full')}</p>
          {tooltip(day, shown)}
        </div>
      )}
    </>
  )
}
