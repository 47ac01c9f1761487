import { Link } from '@tanstack/react-router'
import {
  Bell,
  ArrowRightLeft,
  BadgeCheck,
  BookOpen,
  ChartColumn,
  Eraser,
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
import { PageLinks, pageLinkClasses } from './page-links.tsx'
import { usePermission } from './shell-context.ts'

const pageGroups = [
  [
    { to: '/$environment', page: 'overview', icon: Gauge },
    { to: '/$environment/verifications', page: 'verifications', icon: FileCheck2 },
    { to: '/$environment/links', page: 'links', icon: Link2 },
    { to: '/$environment/erasure-requests', page: 'erasures', icon: Eraser },
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

export function Navigation({
  environment,
  onNavigate,
}: {
  environment: Environment
  onNavigate?: () => void
}) {
  const text = useTexts().shell.pages
  const canReadAudit = usePermission('read_audit')
  const groups = pageGroups.map((group) =>
    group
      .filter(({ page }) => canReadAudit || page !== 'audit')
      .map(({ to, page, icon: Icon }) => ({
        key: page,
        link: (
          <Link
            to={to}
            params={{ environment }}
            activeOptions={{ exact: to === '/$environment' }}
            className={pageLinkClasses}
            {...(onNavigate !== undefined && { onClick: onNavigate })}
          >
            <Icon className="size-4.5 shrink-0" strokeWidth={1.75} aria-hidden />
            {text[page]}
          </Link>
        ),
      })),
  )
  return (
    <PageLinks
      groups={groups}
      foot={
        <a href="/docs" className={pageLinkClasses}>
          <BookOpen className="size-4.5 shrink-0" strokeWidth={1.75} aria-hidden />
          {text.reference}
        </a>
      }
    />
  )
}
