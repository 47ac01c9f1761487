import { Link } from '@tanstack/react-router'
import type { FigureCounts, Overview } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import type { Formats } from '../../texts/formats.ts'
import type { Texts } from '../../texts/languages.ts'
import { useEnvironment } from '../../shell/shell-context.ts'
import { useFormats, useTexts } from '../../texts/texts-context.ts'
import { Figure, ShareBar } from '../../ui/figure.tsx'
import { deliveryHealth } from '../warnings.tsx'

/** Four numbers: today's quota, the success rate, the time to answer, and webhooks. */
export function KeyFigures({
  overview: { today, webhooks },
  total,
  today: createdToday,
}: {
  overview: Overview
  total: FigureCounts
  /** The last day of the range, in this environment and under its filters. The quota counts both environments. */
  today: FigureCounts | undefined
}) {
  const text = useTexts().figures
  const formats = useFormats()
  const environment = useEnvironment()
  const answers = total.completed + total.failed + total.declined
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <Figure
        name={text.created_today}
        value={formats.integer(createdToday?.created ?? 0)}
        note={fillIn(text.of_quota, {
          used: formats.integer(today.created),
          quota: formats.integer(today.daily_quota),
        })}
      >
        <ShareBar part={today.created} of={today.daily_quota} label={text.quota_share} colour={quotaColour} />
      </Figure>
      <Figure
        name={text.success_rate}
        value={answers === 0 ? '–' : formats.percent(total.completed / answers)}
        note={answers === 0 ? text.no_answers : formats.count(text.of_answers, answers)}
      >
        <ShareBar part={total.completed} of={answers} label={text.completed_share} colour={successColour} />
      </Figure>
      <Figure
        name={text.median_time}
        value={total.median_seconds === undefined ? '–' : formats.seconds(total.median_seconds)}
        note={
          total.p95_seconds === undefined
            ? text.time_note
            : fillIn(text.p95_time, { time: formats.seconds(total.p95_seconds) })
        }
      />
      <Figure
        name={text.webhooks}
        value={webhooks.attempts === 0 ? '–' : formats.percent(webhooks.delivered / webhooks.attempts)}
        note={webhookNote(webhooks, text, formats)}
        tone={deliveryHealth(webhooks)}
        heading={
          <Link
            to="/$environment/webhooks"
            params={{ environment }}
            className="underline-offset-4 hover:underline"
          >
            {text.webhooks}
          </Link>
        }
      >
        <ShareBar
          part={webhooks.delivered}
          of={webhooks.attempts}
          label={text.delivered_share}
          colour={() => deliveryColours[deliveryHealth(webhooks)]}
        />
      </Figure>
    </div>
  )
}

function webhookNote(
  { attempts, delivered, waiting }: Overview['webhooks'],
  text: Texts['figures'],
  formats: Formats,
): string {
  const waitingText = fillIn(text.waiting, { waiting: formats.integer(waiting) })
  if (attempts === 0) return waiting === 0 ? text.no_webhooks : waitingText
  const attemptsText = formats.count(text.attempts, attempts, { delivered: formats.integer(delivered) })
  return waiting === 0 ? attemptsText : `${attemptsText}, ${waitingText}`
}

const deliveryColours = { good: 'fill-good', wait: 'fill-wait', bad: 'fill-bad' }

function quotaColour(share: number): string {
  if (share >= 1) return 'fill-bad'
  return share >= 0.8 ? 'fill-wait' : 'fill-accent'
}

/** The colour follows the value: a rate of 7 % is not good. */
function successColour(share: number): string {
  if (share >= 0.9) return 'fill-good'
  return share >= 0.6 ? 'fill-wait' : 'fill-bad'
}
