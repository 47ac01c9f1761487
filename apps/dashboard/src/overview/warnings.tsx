import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { Alert, Overview } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { describeAlert } from '../alerts/describe-alert.tsx'
import { useOperationQuery } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import type { Formats } from '../texts/formats.ts'
import type { Texts } from '../texts/languages.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { classes } from '../ui/classes.ts'
import { Time } from '../ui/time.tsx'

type Warning = Overview['warnings'][number]

type WarningMessage = { severe: boolean; text: ReactNode; to: string; linkText: string }

/** What needs attention, most severe first. Nothing is shown if nothing does. */
export function Warnings({ overview }: { overview: Overview }) {
  const texts = useTexts()
  const formats = useFormats()
  const environment = useEnvironment()
  const alerts = useOperationQuery('listAlerts', { params: { environment } })
  const { warnings, webhooks } = overview
  const messages = [
    ...warnings.map((warning) => describeWarning(warning, texts, formats)),
    ...describeDelivery(webhooks, texts, formats),
    ...describeOpenAlerts(alerts.data?.data ?? [], warnings, texts, formats),
  ].toSorted((a, b) => Number(b.severe) - Number(a.severe))
  if (messages.length === 0) return null
  return (
    <section aria-labelledby="attention">
      <h2 id="attention" className="mb-2 text-base font-semibold">
        {fillIn(texts.overview.warnings.label, { count: formats.integer(messages.length) })}
      </h2>
      <ul className="grid gap-2">
        {messages.map(({ severe, text, to, linkText }, index) => (
          <li
            key={index}
            className={classes(
              'flex flex-wrap items-start gap-x-3 gap-y-1 rounded-md px-4 py-3 text-sm',
              severe ? 'bg-bad-tint text-bad' : 'bg-wait-tint text-wait',
            )}
          >
            <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
            <span className="min-w-0 flex-1">{text}</span>
            <Link
              to={to as '/$environment'}
              params={{ environment }}
              className="font-semibold underline underline-offset-4"
            >
              {linkText}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Too many failed attempts of the last day. Once events were given up, their own warning says more. */
function describeDelivery(
  { attempts, delivered, waiting, exhausted }: Overview['webhooks'],
  { overview: { warnings: text } }: Texts,
  formats: Formats,
): WarningMessage[] {
  const health = deliveryHealth({ attempts, delivered })
  // A single failure is no reason: it is attempted again.
  if (health === 'good' || exhausted > 0 || attempts < minAttempts) return []
  return [
    {
      severe: health === 'bad',
      text: fillIn(text.delivery, {
        percent: formats.percent(delivered / attempts),
        waiting: formats.integer(waiting),
      }),
      to: '/$environment/webhooks',
      linkText: text.deliveries,
    },
  ]
}

const minAttempts = 5

/** Of the last day's attempts 95 % should succeed; under 80 % a receiver is down. */
export function deliveryHealth({
  attempts,
  delivered,
}: Pick<Overview['webhooks'], 'attempts' | 'delivered'>): 'good' | 'wait' | 'bad' {
  const share = attempts === 0 ? 1 : delivered / attempts
  if (share >= 0.95) return 'good'
  return share >= 0.8 ? 'wait' : 'bad'
}

/** The warning that says the same as an alert, if there is one. */
const warningsOfAlerts: Partial<Record<string, Warning['kind']>> = {
  endpoint_failing: 'alert',
  endpoint_disabled: 'alert',
  quota: 'quota_nearly_spent',
  certificate_expires: 'certificate_expires',
  registration_expires: 'registration_expires',
  registration_refused: 'registration_refused',
  trust_list_stale: 'trust_list_expires',
  device_revoked_by_reuse: 'device_revoked_by_reuse',
}

/** One line for all open alerts that no warning repeats. */
function describeOpenAlerts(
  alerts: readonly Alert[],
  warnings: readonly Warning[],
  { overview, shell }: Texts,
  formats: Formats,
): WarningMessage[] {
  const shown = new Set(warnings.map(({ kind }) => kind))
  const others = alerts.filter(({ kind, resolved_at }) => {
    const warning = warningsOfAlerts[kind]
    return resolved_at === undefined && (warning === undefined || !shown.has(warning))
  })
  if (others.length === 0) return []
  return [
    {
      severe: false,
      text: formats.count(overview.warnings.open_alerts, others.length),
      to: '/$environment/alerts',
      linkText: shell.pages.alerts,
    },
  ]
}

function describeWarning(warning: Warning, texts: Texts, formats: Formats): WarningMessage {
  const { overview, settings, shell } = texts
  const text = overview.warnings
  const registrations = { to: '/$environment/registrations', linkText: shell.pages.registrations }
  switch (warning.kind) {
    case 'quota_nearly_spent': {
      const [used, quota] = [formats.integer(warning.used), formats.integer(warning.daily_quota)]
      const severe = warning.used >= warning.daily_quota
      return {
        severe,
        text: fillIn(severe ? text.quota_spent : text.quota_nearly_spent, { used, quota }),
        to: '/$environment/usage',
        linkText: shell.pages.usage,
      }
    }
    case 'webhooks_exhausted':
      return {
        severe: true,
        text: (
          <Sentence
            text={formats.count(text.webhooks_exhausted, warning.events)}
            values={{ at: <Time at={warning.last_at} form="relative" /> }}
          />
        ),
        to: '/$environment/webhooks',
        linkText: text.deliveries,
      }
    case 'device_revoked_by_reuse':
      return {
        severe: true,
        text: fillIn(text.device_revoked_by_reuse, { device: warning.device_name }),
        to: '/$environment/devices',
        linkText: shell.pages.devices,
      }
    case 'certificate_expires':
      return {
        severe: warning.expired,
        text: (
          <Sentence
            text={warning.expired ? text.certificate_expired : text.certificate_expires}
            values={{ day: <Time at={warning.expires_at} form="day" /> }}
          />
        ),
        to: '/$environment/settings/identity',
        linkText: settings.sections.identity,
      }
    case 'registration_expires':
      return {
        severe: warning.expired,
        text: (
          <Sentence
            text={warning.expired ? text.registration_expired : text.registration_expires}
            values={{ name: warning.name, day: <Time at={warning.expires_at} form="day" /> }}
          />
        ),
        ...registrations,
      }
    case 'registration_refused':
      return {
        severe: true,
        text: fillIn(text.registration_refused, { name: warning.name }),
        ...registrations,
      }
    case 'trust_list_expires':
      return {
        severe: warning.expired,
        text: fillIn(warning.expired ? text.trust_list_expired : text.trust_list_expires, {
          url: warning.url,
        }),
        to: '/$environment/settings/trust',
        linkText: settings.sections.trust,
      }
    case 'alert': {
      return {
        severe: warning.alert.kind === 'endpoint_disabled',
        text: describeAlert(warning.alert, texts, formats),
        to: '/$environment/webhooks',
        linkText: shell.pages.webhooks,
      }
    }
    case 'key_expires':
      return {
        severe: false,
        text: (
          <Sentence
            text={text.key_expires}
            values={{ name: warning.name, day: <Time at={warning.expires_at} form="day" /> }}
          />
        ),
        to: '/$environment/keys',
        linkText: shell.pages.keys,
      }
  }
}
