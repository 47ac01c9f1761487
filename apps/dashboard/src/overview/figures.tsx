import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import type { Overview, SessionStatus } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useEnvironment } from '../shell/shell-context.ts'
import type { Formats } from '../texts/formats.ts'
import type { Texts } from '../texts/languages.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { Card } from '../ui/page.tsx'
import { failureLabel } from '../verifications/labels.ts'

export function Figures({ overview: { today, outcomes, webhooks } }: { overview: Overview }) {
  const text = useTexts().overview.figures
  const formats = useFormats()
  const responses = outcomes.completed + outcomes.failed
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        <Figure
          name={text.created_today}
          value={formats.integer(today.created)}
          note={fillIn(text.of_quota, { quota: formats.integer(today.daily_quota) })}
        >
          <ShareBar part={today.created} of={today.daily_quota} label={text.quota_share} />
        </Figure>
        <Figure
          name={text.success_rate}
          value={responses === 0 ? '–' : formats.percent(outcomes.completed / responses)}
          note={responses === 0 ? text.no_responses : formats.count(text.of_responses, responses)}
        >
          <ShareBar part={outcomes.completed} of={responses} label={text.completed_share} good />
        </Figure>
        <Figure
          name={text.median_time}
          value={outcomes.median_seconds === undefined ? '–' : formats.seconds(outcomes.median_seconds)}
          note={text.median_time_note}
        />
        <Figure
          name={text.webhooks}
          value={webhooks.attempts === 0 ? '–' : formats.percent(webhooks.delivered / webhooks.attempts)}
          note={webhookNote(webhooks, text, formats)}
        >
          <ShareBar part={webhooks.delivered} of={webhooks.attempts} label={text.delivered_share} good />
        </Figure>
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        <Outcomes outcomes={outcomes} />
        <Failures outcomes={outcomes} />
      </div>
    </>
  )
}

function webhookNote(
  { attempts, delivered, waiting }: Overview['webhooks'],
  text: Texts['overview']['figures'],
  formats: Formats,
): string {
  const waitingText = fillIn(text.waiting, { waiting: formats.integer(waiting) })
  if (attempts === 0) return waiting === 0 ? text.no_webhooks : waitingText
  const attemptsText = formats.count(text.attempts, attempts, { delivered: formats.integer(delivered) })
  return waiting === 0 ? attemptsText : `${attemptsText}, ${waitingText}`
}

function Figure({
  name,
  value,
  note,
  children,
}: {
  name: string
  value: string
  note: string
  children?: ReactNode
}) {
  return (
    <section
      aria-label={name}
      className="flex min-h-36 flex-col rounded-lg border border-line bg-surface p-5"
    >
      <h2 className="text-sm text-soft">{name}</h2>
      <p className="mt-1 font-serif text-3xl font-medium tracking-tight tabular">{value}</p>
      <p className="mt-0.5 text-sm text-soft">{note}</p>
      <div className="mt-auto pt-3">{children}</div>
    </section>
  )
}

function ShareBar({
  part,
  of,
  label,
  good = false,
}: {
  part: number
  of: number
  label: string
  good?: boolean
}) {
  const text = useTexts().overview.figures
  const formats = useFormats()
  const share = of === 0 ? 0 : Math.min(1, part / of)
  return (
    <svg
      role="img"
      aria-label={fillIn(text.share, { label, percent: formats.percent(share) })}
      className="block h-1.5 w-full overflow-hidden rounded-full"
    >
      <rect width="100%" height="100%" className="fill-sunken" />
      <rect width={`${share * 100}%`} height="100%" className={good ? 'fill-good' : quotaColour(share)} />
    </svg>
  )
}

function quotaColour(share: number): string {
  if (share >= 1) return 'fill-bad'
  return share >= 0.8 ? 'fill-wait' : 'fill-accent'
}

const outcomeColours: Record<SessionStatus, string> = {
  completed: 'fill-good',
  failed: 'fill-bad',
  expired: 'fill-edge',
  pending: 'fill-wait',
}
const statuses = Object.keys(outcomeColours) as SessionStatus[]

function Outcomes({ outcomes }: { outcomes: Overview['outcomes'] }) {
  const { overview, verifications } = useTexts()
  const text = overview.outcomes
  const formats = useFormats()
  const maxCount = Math.max(1, ...statuses.map((status) => outcomes[status]))
  return (
    <Card
      title={text.title}
      description={formats.count(outcomes.sampled ? text.days_sampled : text.days, outcomes.days)}
    >
      <ul className="grid grid-cols-[auto_1fr_auto] gap-3 text-sm">
        {statuses.map((status) => (
          <li key={status} className="col-span-3 grid grid-cols-subgrid items-center">
            <span>{verifications.statuses[status]}</span>
            <svg aria-hidden className="h-2 w-full rounded-full">
              <rect
                width={`${(outcomes[status] / maxCount) * 100}%`}
                height="100%"
                rx="4"
                className={outcomeColours[status]}
              />
            </svg>
            <span className="text-end tabular">{formats.integer(outcomes[status])}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Failures({ outcomes }: { outcomes: Overview['outcomes'] }) {
  const { overview, verifications } = useTexts()
  const text = overview.failures
  const formats = useFormats()
  const environment = useEnvironment()
  return (
    <Card title={text.title} description={formats.count(text.description, outcomes.days)}>
      {outcomes.top_failures.length === 0 ? (
        <p className="text-sm text-soft">{text.none}</p>
      ) : (
        <ul className="grid gap-3 text-sm">
          {outcomes.top_failures.map(({ code, count }) => (
            <li key={code} className="flex items-baseline justify-between gap-4">
              <Link
                to="/$environment/verifications"
                params={{ environment }}
                search={{ error_code: code }}
                className="min-w-0 text-accent underline-offset-4 hover:underline"
              >
                {failureLabel(code, verifications)}
              </Link>
              <span className="tabular">{formats.integer(count)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
