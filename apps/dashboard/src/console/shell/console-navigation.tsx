import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  Activity,
  ChartColumn,
  KeyRound,
  Layers,
  ScrollText,
  ShieldUser,
  Store,
  UserRoundCheck,
  type LucideIcon,
} from 'lucide-react'
import type { OperatorPermission } from '@vidimus/contract/operator-roles'
import { operatorMay } from '@vidimus/contract/operator-roles'
import { PageLinks, pageLinkClasses } from '../../shell/page-links.tsx'
import { useFormats } from '../../texts/texts-context.ts'
import { operationQuery } from '../api.ts'
import { useConsoleTexts } from '../texts/console-texts.ts'
import { useOperator, usePermission } from './console-context.ts'

/** The numbers are on every page, and the check of the installation takes a moment. */
const countLifetime_ms = 60_000

type PageName = 'tenants' | 'sign-ups' | 'plans' | 'usage' | 'health' | 'operators' | 'tokens' | 'log'

/** In the order of the navigation. Without a permission, every operator may open it. */
const pageGroups = [
  [
    { page: 'tenants', icon: Store, permission: 'read_tenants' },
    { page: 'sign-ups', icon: UserRoundCheck, permission: 'read_tenants' },
    { page: 'plans', icon: Layers, permission: 'read_plans' },
  ],
  [
    { page: 'usage', icon: ChartColumn, permission: 'read_usage' },
    { page: 'health', icon: Activity, permission: 'read_health' },
  ],
  [
    { page: 'operators', icon: ShieldUser, permission: 'manage_operators' },
    { page: 'tokens', icon: KeyRound },
    { page: 'log', icon: ScrollText, permission: 'read_log' },
  ],
] as const satisfies readonly (readonly {
  page: PageName
  icon: LucideIcon
  permission?: OperatorPermission
}[])[]

/** The pages that a role may open. */
export function useReadablePages(): PageName[] {
  const { role } = useOperator().operator
  return pageGroups
    .flat()
    .filter((each) => !('permission' in each) || operatorMay(role, each.permission))
    .map(({ page }) => page)
}

export function ConsoleNavigation({ onNavigate }: { onNavigate: (() => void) | undefined }) {
  const text = useConsoleTexts().shell.pages
  const readable = new Set<PageName>(useReadablePages())
  const groups = pageGroups.map((group) =>
    group
      .filter(({ page }) => readable.has(page))
      .map(({ page, icon: Icon }) => ({
        key: page,
        link: (
          <Link
            to={`/${page}`}
            className={pageLinkClasses}
            {...(onNavigate !== undefined && { onClick: onNavigate })}
          >
            <Icon className="size-4.5 shrink-0" strokeWidth={1.75} aria-hidden />
            {text[page]}
            {page === 'health' && <HealthCount />}
            {page === 'sign-ups' && <SignUpCount />}
          </Link>
        ),
      })),
  )
  return <PageLinks groups={groups.filter((group) => group.length > 0)} />
}

/** How many things need attention. */
function HealthCount() {
  const canRead = usePermission('read_health')
  return canRead && <Attention />
}

function Attention() {
  const text = useConsoleTexts().shell
  const formats = useFormats()
  const { data } = useQuery({ ...operationQuery('getHealth', {}), staleTime: countLifetime_ms })
  const count = data?.attention.length ?? 0
  return count > 0 && <Count label={formats.count(text.attention, count)}>{formats.integer(count)}</Count>
}

/** How many tenants wait for a decision, of the first page. */
function SignUpCount() {
  const text = useConsoleTexts().shell
  const formats = useFormats()
  const { data } = useQuery({ ...operationQuery('listSignUps', {}), staleTime: countLifetime_ms })
  const count = data?.data.length ?? 0
  return count > 0 && <Count label={formats.count(text.sign_ups_wait, count)}>{formats.integer(count)}</Count>
}

function Count({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span className="ml-auto min-w-5.5 rounded-full bg-bad-tint px-1.5 text-center text-xs leading-5.5 font-bold text-bad tabular">
      <span aria-hidden>{children}</span>
      <span className="sr-only">{label}</span>
    </span>
  )
}
