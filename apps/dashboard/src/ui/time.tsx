import { useEffect, useState } from 'react'
import type { Formats } from '../texts/formats.ts'
import type { SharedTexts } from '../texts/shared-en.ts'
import { useFormats, useSharedTexts } from '../texts/texts-context.ts'

const relativeUnits = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Local time, with UTC as the tooltip, and below it if `utc` is set. */
export function Time({
  at,
  form = 'time',
  utc = false,
}: {
  at: string
  form?: 'day' | 'time' | 'exact' | 'relative'
  utc?: boolean
}) {
  const formats = useFormats()
  const { ui: text } = useSharedTexts()
  const date = new Date(at)
  const formatters = { day: formats.day, time: formats.dateTime, exact: formats.exact }
  return (
    <span>
      <time dateTime={at} title={formatUtc(at)} className="tabular">
        {form === 'relative' ? formatRelative(date, formats, text) : formatters[form](date)}
      </time>
      {utc && <span className="block text-xs text-soft tabular">{formatUtc(at)}</span>}
    </span>
  )
}

/** How long ago something last happened. */
export function LastTime({ at }: { at: string | undefined }) {
  const text = useSharedTexts().ui
  return at === undefined ? <span className="text-soft">{text.never}</span> : <Time at={at} form="relative" />
}

function formatUtc(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`
}

function formatRelative(date: Date, formats: Formats, text: SharedTexts['ui']): string {
  const seconds = (date.getTime() - Date.now()) / 1000
  const step = relativeUnits.find(([, size]) => Math.abs(seconds) >= size)
  if (step === undefined) return seconds > 0 ? text.under_a_minute : text.just_now
  return formats.relative(Math.round(seconds / step[1]), step[0])
}

/** Seconds until a time, by the service's clock rather than this machine's. */
export function useSecondsUntil(at: string, clockOffset_ms = 0): number {
  const secondsLeft = () => Math.max(0, Math.floor((Date.parse(at) - Date.now() + clockOffset_ms) / 1000))
  const [seconds, setSeconds] = useState(secondsLeft)
  useEffect(() => {
    setSeconds(secondsLeft())
    const timer = setInterval(() => setSeconds(secondsLeft()), 1000)
    return () => clearInterval(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `secondsLeft` depends only on these two
  }, [at, clockOffset_ms])
  return seconds
}

export function formatCountdown(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
