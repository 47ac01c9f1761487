import { Fragment, useState, type HTMLAttributes, type KeyboardEvent, type ReactNode } from 'react'
import { useFormats } from '../../texts/texts-context.ts'
import { chartScale } from './axes.tsx'

const tooltipWidth = 224

/** What makes an element the stop of a day. */
export type DayStopProps = Pick<
  HTMLAttributes<HTMLElement>,
  | 'aria-label'
  | 'className'
  | 'onBlur'
  | 'onFocus'
  | 'onKeyDown'
  | 'onPointerEnter'
  | 'onPointerLeave'
  | 'tabIndex'
>

type DayStopsProps<Day> = {
  days: readonly Day[]
  width: number
  label: (day: Day, index: number) => string
  tooltip: (day: Day, index: number) => ReactNode
  /** The element of a day, such as a link, with these props. */
  stop: (day: Day, props: DayStopProps) => ReactNode
}

/**
 * Over a chart: each day shows its figures while the pointer or the focus is on it. The chart is one stop of the Tab key, and the arrow keys
 * move between days.
 */
export function DayStops<Day extends { day: string }>({
  days,
  width,
  label,
  tooltip,
  stop: renderStop,
}: DayStopsProps<Day>) {
  const formats = useFormats()
  const [shown, setShown] = useState<number>()
  const [stop, setStop] = useState(days.length - 1)
  const { x, step } = chartScale(width, days.length, 1)
  const last = days.length - 1
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    const moves: Record<string, number> = {
      ArrowLeft: Math.max(0, Math.min(stop, last) - 1),
      ArrowRight: Math.min(last, stop + 1),
      Home: 0,
      End: last,
    }
    const next = moves[event.key]
    if (next === undefined) return
    event.preventDefault()
    const stops = event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('[tabindex]')
    stops?.[next]?.focus()
  }
  const day = shown === undefined ? undefined : days[shown]
  const rightOfBar = x(shown ?? 0) + step / 2 + 8
  const left = rightOfBar + tooltipWidth <= width ? rightOfBar : x(shown ?? 0) - step / 2 - 8 - tooltipWidth
  return (
    <>
      <div className="absolute top-0 right-0 bottom-6 left-14 grid auto-cols-fr grid-flow-col">
        {days.map((each, index) => (
          <Fragment key={each.day}>
            {renderStop(each, {
              'aria-label': `${formats.utcDay(new Date(each.day), 'full')}: ${label(each, index)}`,
              tabIndex: index === Math.min(stop, last) ? 0 : -1,
              onFocus: () => (setStop(index), setShown(index)),
              onBlur: () => setShown(undefined),
              onKeyDown: handleKey,
              onPointerEnter: () => setShown(index),
              onPointerLeave: () => setShown(undefined),
              className: 'rounded-sm hover:bg-ink/5 focus-visible:bg-ink/5',
            })}
          </Fragment>
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
