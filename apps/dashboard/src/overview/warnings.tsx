import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { Overview } from '@vidimus/contract'
import { useEnvironment } from '../shell/me.ts'
import { classes } from '../ui/classes.ts'
import { Time } from '../ui/time.tsx'

type Warning = Overview['warnings'][number]
const whole = new Intl.NumberFormat()

type Told = { grave: boolean; says: ReactNode; to: string; go: string }

/** What will hurt if nobody looks, the worst first. */
export function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  const environment = useEnvironment()
  const told = warnings.map(tell).toSorted((a, b) => Number(b.grave) - Number(a.grave))
  return (
    <section aria-label="Warnings">
      <ul className="grid gap-2">
        {told.map(({ grave, says, to, go }, index) => (
          <li
            key={index}
            className={classes(
              'flex flex-wrap items-start gap-x-3 gap-y-1 rounded-md px-4 py-3 text-sm',
              grave ? 'bg-bad-tint text-bad' : 'bg-wait-tint text-wait',
            )}
          >
            <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
            <span className="min-w-0 flex-1">{says}</span>
            <Link
              to={to as '/$environment'}
              params={{ environment }}
              className="font-semibold underline underline-offset-4"
            >
              {go}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function tell(warning: Warning): Told {
  switch (warning.kind) {
    case 'quota_nearly_spent': {
      const { used, daily_quota } = warning
      const spent = used >= daily_quota
      return {
        grave: spent,
        says: spent
          ? `Today’s quota of ${whole.format(daily_quota)} is spent. New verifications are refused until midnight UTC.`
          : `${whole.format(used)} of today’s ${whole.format(daily_quota)} verifications are used.`,
        to: '/$environment/usage',
        go: 'Usage',
      }
    }
    case 'webhooks_exhausted':
      return {
        grave: true,
        says: (
          <>
            {warning.events === 1 ? 'One webhook event was' : `${warning.events} webhook events were`} given
            up after the last attempt, most recently <Time at={warning.last_at} form="relative" />.
          </>
        ),
        to: '/$environment/webhooks',
        go: 'Deliveries',
      }
    case 'device_revoked_by_reuse':
      return {
        grave: true,
        says: `“${warning.device_name}” was revoked because a spent token was used again: its tokens may have been copied. Register it again.`,
        to: '/$environment/devices',
        go: 'Devices',
      }
    case 'certificate_lapses':
      return {
        grave: warning.lapsed,
        says: (
          <>
            The access certificate {warning.lapsed ? 'lapsed' : 'lapses'} on{' '}
            <Time at={warning.expires_at} form="day" />. Wallets refuse requests signed with a lapsed one.
          </>
        ),
        to: '/$environment/settings',
        go: 'Settings',
      }
    case 'trust_list_lapses':
      return {
        grave: warning.lapsed,
        says: warning.lapsed
          ? `The trust list ${warning.url} has lapsed: credentials of its issuers are no longer trusted.`
          : `The trust list ${warning.url} could not be refreshed and will lapse soon.`,
        to: '/$environment/settings',
        go: 'Settings',
      }
    case 'key_expires':
      return {
        grave: false,
        says: (
          <>
            The key “{warning.name}” expires on <Time at={warning.expires_at} form="day" />. Make its
            successor before then.
          </>
        ),
        to: '/$environment/keys',
        go: 'API keys',
      }
  }
}
