import { Link } from '@tanstack/react-router'
import {
  BookOpen,
  ChartColumn,
  FileCheck2,
  Gauge,
  KeyRound,
  LayoutTemplate,
  ScrollText,
  Settings,
  TabletSmartphone,
  Users,
  Webhook,
} from 'lucide-react'
import type { Environment } from '@vidimus/contract'
import { usePermission } from './shell-context.ts'

const pageGroups = [
  [
    { to: '/$environment', title: 'Overview', icon: Gauge },
    { to: '/$environment/verifications', title: 'Verifications', icon: FileCheck2 },
    { to: '/$environment/templates', title: 'Templates', icon: LayoutTemplate },
    { to: '/$environment/devices', title: 'Devices', icon: TabletSmartphone },
  ],
  [
    { to: '/$environment/keys', title: 'API keys', icon: KeyRound },
    { to: '/$environment/webhooks', title: 'Webhooks', icon: Webhook },
    { to: '/$environment/usage', title: 'Usage', icon: ChartColumn },
  ],
  [
    { to: '/$environment/audit', title: 'Audit', icon: ScrollText },
    { to: '/$environment/team', title: 'Team', icon: Users },
    { to: '/$environment/settings', title: 'Settings', icon: Settings },
  ],
] as const

const linkClasses =
  'flex h-9 items-center gap-3 rounded-md px-2.5 text-sm text-soft transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-semibold aria-[current=page]:text-ink'

export function Navigation({
  environment,
  onNavigate,
}: {
  environment: Environment
  onNavigate?: () => void
}) {
  const canReadAudit = usePermission('read_audit')
  return (
    <nav aria-label="Pages" className="grid gap-4">
      {pageGroups.map((group) => (
        <ul key={group[0].title} className="grid gap-0.5">
          {group
            .filter(({ title }) => canReadAudit || title !== 'Audit')
            .map(({ to, title, icon: Icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  params={{ environment }}
                  activeOptions={{ exact: to === '/$environment' }}
                  className={linkClasses}
                  {...(onNavigate !== undefined && { onClick: onNavigate })}
                >
                  <Icon className="size-4.5 shrink-0" strokeWidth={1.75} aria-hidden />
                  {title}
                </Link>
              </li>
            ))}
        </ul>
      ))}
      <ul className="border-t border-line pt-4">
        <li>
          <a href="/docs" className={linkClasses}>
            <BookOpen className="size-4.5 shrink-0" strokeWidth={1.75} aria-hidden />
            API reference
          </a>
        </li>
      </ul>
    </nav>
  )
}
