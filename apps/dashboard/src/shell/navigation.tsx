import { Link } from '@tanstack/react-router'
import {
  Bell,
  ArrowRightLeft,
  BadgeCheck,
  BookOpen,
  ChartColumn,
  FileCheck2,
  Gauge,
  KeyRound,
  LayoutTemplate,
  Link2,
  ScrollText,
  Settings,
  TabletSmartphone,
  Users,
  Waypoints,
  Webhook,
} from 'lucide-react'
import type { Environment } from '@vidimus/contract'
import { useTexts } from '../texts/texts-context.ts'
import { usePermission } from './shell-context.ts'

const pageGroups = [
  [
    { to: '/$environment', page: 'overview', icon: Gauge },
    { to: '/$environment/verifications', page: 'verifications', icon: FileCheck2 },
    { to: '/$environment/links', page: 'links', icon: Link2 },
    { to: '/$environment/templates', page: 'templates', icon: LayoutTemplate },
    { to: '/$environment/registrations', page: 'registrations', icon: BadgeCheck },
    { to: '/$environment/devices', page: 'devices', icon: TabletSmartphone },
  ],
  [
    { to: '/$environment/keys', page: 'keys', icon: KeyRound },
    { to: '/$environment/openid-clients', page: 'openid_clients', icon: Waypoints },
    { to: '/$environment/webhooks', page: 'webhooks', icon: Webhook },
    { to: '/$environment/requests', page: 'requests', icon: ArrowRightLeft },
    { to: '/$environment/usage', page: 'usage', icon: ChartColumn },
  ],
  [
    { to: '/$environment/alerts', page: 'alerts', icon: Bell },
    { to: '/$environment/audit', page: 'audit', icon: ScrollText },
    { to: '/$environment/team', page: 'team', icon: Users },
    { to: '/$environment/settings', page: 'settings', icon: Settings },
  ],
] as const

/** Lower on a low screen, so that all pages fit 700 pixels. */
const linkClasses =
  'flex h-[clamp(1.625rem,calc((100dvh-19.5rem)/15.5),2.25rem)] items-center pointer-coarse:h-11 gap-3 rounded-md px-2.5 text-sm text-soft transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-semibold aria-[current=page]:text-ink'

export function Navigation({
  environment,
  onNavigate,
}: {
  environment: Environment
  onNavigate?: () => void
}) {
  const text = useTexts().shell.pages
  const canReadAudit = usePermission('read_audit')
  return (
    <nav aria-label={text.label} className="grid gap-[clamp(0.125rem,calc((100dvh-42rem)/10),1rem)]">
      {pageGroups.map((group) => (
        <ul key={group[0].page} className="grid gap-px">
          {group
            .filter(({ page }) => canReadAudit || page !== 'audit')
            .map(({ to, page, icon: Icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  params={{ environment }}
                  activeOptions={{ exact: to === '/$environment' }}
                  className={linkClasses}
                  {...(onNavigate !== undefined && { onClick: onNavigate })}
                >
                  <Icon className="size-4.5 shrink-0" strokeWidth={1.75} aria-hidden />
                  {text[page]}
                </Link>
              </li>
            ))}
        </ul>
      ))}
      <ul className="border-t border-line pt-[clamp(0.125rem,calc((100dvh-42rem)/10),1rem)]">
        <li>
          <a href="/docs" className={linkClasses}>
            <BookOpen className="size-4.5 shrink-0" strokeWidth={1.75} aria-hidden />
            {text.reference}
          </a>
        </li>
      </ul>
    </nav>
  )
}
