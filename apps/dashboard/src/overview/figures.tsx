import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import type { Overview, SessionStatus } from '@vidimus/contract'
import { useEnvironment } from '../shell/shell-context.ts'
import { Card } from '../ui/page.tsx'
import { failureLabel, statusLabels } from '../verifications/labels.ts'

const integerFormat = new Intl.NumberFormat()
const percentFormat = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })

export function Figures({ overview: { today, outcomes, webhooks } }: { overview: Overview }) {
  const responses = outcomes.completed + outcomes.failed
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        <Figure
          name="Created today"
          value={integerFormat.format(today.created)}
          note={`of ${integerFormat.format(today.daily_quota)}, test and live combined`}
        >
          <ShareBar part={today.created} of={today.daily_quota} label="Share of today’s quota" />
        </Figure>
        <Figure
          name="Success rate"
          value={responses === 0 ? '–' : percentFormat.format(outcomes.completed / responses)}
          note={
            responses === 0
              ? 'No responses in 7 days'
              : `of ${integerFormat.format(responses)} responses in 7 days`
          }
        >
          <ShareBar part={outcomes.completed} of={responses} label="Share of responses that completed" good />
        </Figure>
        <Figure
          name="Median response time"
          value={outcomes.median_seconds === undefined ? '–' : formatSeconds(outcomes.median_seconds)}
          note="from creation to response"
        />
        <Figure
          name="Webhook delivery, 24 hours"
          value={webhooks.attempts === 0 ? '–' : percentFormat.format(webhooks.delivered / webhooks.attempts)}
          note={webhookNote(webhooks)}
        >
          <ShareBar
            part={webhooks.delivered}
            of={webhooks.attempts}
            label="Share of attempts that succeeded"
            good
          />
        </Figure>
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        <Outcomes outcomes={outcomes} />
        <Failures outcomes={outcomes} />
      </div>
    </>
  )
}

function webhookNote({ attempts, delivered, waiting }: Overview['webhooks']): string {
  if (attempts === 0) return waiting === 0 ? 'None sent' : `${integerFormat.format(waiting)} waiting`
  const attemptsText = `${integerFormat.format(delivered)} of ${integerFormat.format(attempts)} attempts`
  return waiting === 0 ? attemptsText : `${attemptsText}, ${integerFormat.format(waiting)} waiting`
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
  const share = of === 0 ? 0 : Math.min(1, part / of)
  return (
    <svg
      role="img"
      aria-label={`${label}: ${percentFormat.format(share)}`}
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
  const maxCount = Math.max(1, ...statuses.map((status) => outcomes[status]))
  return (
    <Card
      title="Outcomes"
      description={`Last ${outcomes.days} days${outcomes.sampled ? ', newest verifications only' : ''}`}
    >
      <ul className="grid gap-3 text-sm">
        {statuses.map((status) => (
          <li key={status} className="grid grid-cols-[5rem_1fr_3.5rem] items-center gap-3">
            <span>{statusLabels[status][1]}</span>
            <svg aria-hidden className="h-2 w-full rounded-full">
              <rect
                width={`${(outcomes[status] / maxCount) * 100}%`}
                height="100%"
                rx="4"
                className={outcomeColours[status]}
              />
            </svg>
            <span className="text-end tabular">{integerFormat.format(outcomes[status])}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Failures({ outcomes }: { outcomes: Overview['outcomes'] }) {
  const environment = useEnvironment()
  return (
    <Card title="Failure reasons" description={`Most common, last ${outcomes.days} days`}>
      {outcomes.top_failures.length === 0 ? (
        <p className="text-sm text-soft">No failures.</p>
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
                {failureLabel(code)}
              </Link>
              <span className="tabular">{integerFormat.format(count)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}
