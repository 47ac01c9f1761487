import { useEffect, useState } from 'react'

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const dayAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const steps = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** The reader's own time; the service's is behind it, and beside it with `utc`. */
export function Time({
  at,
  form = 'time',
  utc = false,
}: {
  at: string
  form?: 'day' | 'time' | 'exact' | 'relative'
  utc?: boolean
}) {
  const date = new Date(at)
  const shown = { day, time: dayAndTime, exact }
  return (
    <span>
      <time dateTime={at} title={utcOf(at)} className="tabular">
        {form === 'relative' ? ago(date) : shown[form].format(date)}
      </time>
      {utc && <span className="block text-xs text-soft tabular">{utcOf(at)}</span>}
    </span>
  )
}

function utcOf(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`
}

function ago(date: Date): string {
  const seconds = (date.getTime() - Date.now()) / 1000
  const step = steps.find(([, size]) => Math.abs(seconds) >= size)
  if (step === undefined) return seconds > 0 ? 'in under a minute' : 'just now'
  return relative.format(Math.round(seconds / step[1]), step[0])
}

/** The seconds that are left, by the service's clock, not this machine's. */
export function useSecondsUntil(at: string, clockOffsetMs = 0): number {
  const left = () => Math.max(0, Math.floor((Date.parse(at) - Date.now() + clockOffsetMs) / 1000))
  const [seconds, setSeconds] = useState(left)
  useEffect(() => {
    setSeconds(left())
    const timer = setInterval(() => setSeconds(left()), 1000)
    return () => clearInterval(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `left` is made of these two
  }, [at, clockOffsetMs])
  return seconds
}

export function clockText(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
