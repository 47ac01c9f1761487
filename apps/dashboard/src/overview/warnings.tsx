import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { Overview } from '@vidimus/contract'
import { useEnvironment } from '../shell/shell-context.ts'
import { classes } from '../ui/classes.ts'
import { Time } from '../ui/time.tsx'

type Warning = Overview['warnings'][number]
const integerFormat = new Intl.NumberFormat()

type WarningMessage = { severe: boolean; text: ReactNode; to: string; linkText: string }

/** What needs attention, most severe first. */
export function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  const environment = useEnvironment()
  const messages = warnings.map(describeWarning).toSorted((a, b) => Number(b.severe) - Number(a.severe))
  return (
    <section aria-label="Warnings">
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

function describeWarning(warning: Warning): WarningMessage {
  switch (warning.kind) {
    case 'quota_nearly_spent': {
      const { used, daily_quota } = warning
      const exhausted = used >= daily_quota
      return {
        severe: exhausted,
        text: exhausted
          ? `Today’s quota of ${integerFormat.format(daily_quota)} is used up. New verifications are refused until midnight UTC.`
          : `${integerFormat.format(used)} of today’s ${integerFormat.format(daily_quota)} verifications used.`,
        to: '/$environment/usage',
        linkText: 'Usage',
      }
    }
    case 'webhooks_exhausted':
      return {
        severe: true,
        text: (
          <>
            {integerFormat.format(warning.events)} webhook {warning.events === 1 ? 'event' : 'events'} could
            not be delivered, most recently <Time at={warning.last_at} form="relative" />.
          </>
        ),
        to: '/$environment/webhooks',
        linkText: 'Deliveries',
      }
    case 'device_revoked_by_reuse':
      return {
        severe: true,
        text: `“${warning.device_name}” was revoked because a used token was presented again. Its tokens may have been copied. Register it again.`,
        to: '/$environment/devices',
        linkText: 'Devices',
      }
    case 'certificate_lapses':
      return {
        severe: warning.lapsed,
        text: (
          <>
            The access certificate {warning.lapsed ? 'expired' : 'expires'} on{' '}
            <Time at={warning.expires_at} form="day" />. Wallets refuse requests signed with an expired
            certificate.
          </>
        ),
        to: '/$environment/settings',
        linkText: 'Settings',
      }
    case 'trust_list_lapses':
      return {
        severe: warning.lapsed,
        text: warning.lapsed
          ? `The trust list ${warning.url} has expired. Credentials from its issuers are no longer trusted.`
          : `The trust list ${warning.url} could not be refreshed and will expire soon.`,
        to: '/$environment/settings',
        linkText: 'Settings',
      }
    case 'key_expires':
      return {
        severe: false,
        text: (
          <>
            The key “{warning.name}” expires on <Time at={warning.expires_at} form="day" />. Create its
            replacement before then.
          </>
        ),
        to: '/$environment/keys',
        linkText: 'API keys',
      }
  }
}
