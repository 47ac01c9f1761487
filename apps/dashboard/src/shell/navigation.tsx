import { Link } from '@tanstack/react-router'
import { BookOpen, FileCheck2, Gauge, KeyRound, TabletSmartphone, Webhook } from 'lucide-react'
import type { Environment } from '@vidimus/contract'

const rooms = [
  [
    { to: '/$environment', title: 'Overview', icon: Gauge },
    { to: '/$environment/verifications', title: 'Verifications', icon: FileCheck2 },
    { to: '/$environment/devices', title: 'Devices', icon: TabletSmartphone },
  ],
  [
    { to: '/$environment/keys', title: 'API keys', icon: KeyRound },
    { to: '/$environment/webhooks', title: 'Webhooks', icon: Webhook },
  ],
] as const

const place =
  'flex h-9 items-center gap-3 rounded-md px-2.5 text-sm text-soft transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-semibold aria-[current=page]:text-ink'

export function Navigation({
  environment,
  onNavigate,
}: {
  environment: Environment
  onNavigate?: () => void
}) {
  return (
    <nav aria-label="Pages" className="grid gap-4">
      {rooms.map((group) => (
        <ul key={group[0].title} className="grid gap-0.5">
          {group.map(({ to, title, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                params={{ environment }}
                activeOptions={{ exact: to === '/$environment' }}
                className={place}
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
          <a href="/docs" className={place}>
            <BookOpen className="size-4.5 shrink-0" strokeWidth={1.75} aria-hidden />
            API reference
          </a>
        </li>
      </ul>
    </nav>
  )
}
