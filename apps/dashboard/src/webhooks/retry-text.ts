import { fillIn } from '@vidimus/holder-texts/fill-in'
import type { Formats } from '../texts/formats.ts'
import type { Texts } from '../texts/languages.ts'

type RetriesTexts = Texts['webhooks']['retries']

/** How often and for how long an event is attempted, from the delays between the attempts. */
export function retryText(backoff_seconds: readonly number[], text: RetriesTexts, formats: Formats): string {
  if (backoff_seconds.length === 0) return text.once
  const total = backoff_seconds.reduce((sum, delay) => sum + delay, 0)
  return fillIn(text.several, {
    attempts: backoff_seconds.length + 1,
    duration: durationText(total, text, formats),
  })
}

function durationText(seconds: number, text: RetriesTexts, formats: Formats): string {
  if (seconds < 120) return formats.count(text.seconds, Math.round(seconds))
  if (seconds < 7200) return formats.count(text.minutes, Math.round(seconds / 60))
  return formats.count(text.hours, Math.round(seconds / 3600))
}
