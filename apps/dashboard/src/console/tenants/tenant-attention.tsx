import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import {
  BadgeCheck,
  Ban,
  ChartColumn,
  ListX,
  Trash2,
  TriangleAlert,
  UserRoundCheck,
  Webhook,
  type LucideIcon,
} from 'lucide-react'
import type { AttentionKind } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useFormats } from '../../texts/texts-context.ts'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { useOperationQuery } from '../api.ts'
import { useConsoleTexts } from '../texts/console-texts.ts'

const shownAtFirst = 5

const looks: Record<AttentionKind, { icon: LucideIcon; bad?: true }> = {
  sign_up_waits: { icon: UserRoundCheck },
  deletion_planned: { icon: Trash2 },
  suspended: { icon: Ban },
  endpoint_disabled: { icon: Webhook, bad: true },
  endpoint_failing: { icon: Webhook, bad: true },
  webhook_url_failing: { icon: Webhook, bad: true },
  certificate_expires: { icon: BadgeCheck },
  registration_refused: { icon: BadgeCheck, bad: true },
  registration_expires: { icon: BadgeCheck },
  trust_list_stale: { icon: ListX, bad: true },
  quota: { icon: ChartColumn },
}

/** Tenants that somebody should look at. Nothing if there are none: the list below has every tenant. */
export function TenantsToWatch() {
  const text = useConsoleTexts().tenants.attention
  const formats = useFormats()
  const { data: list } = useOperationQuery('listAttention', {})
  const [all, setAll] = useState(false)
  if (list === undefined || list.data.length === 0) return null
  const count = list.data.length
  const shown = all ? list.data : list.data.slice(0, shownAtFirst)
  return (
    <section aria-labelledby="tenants-to-watch" className="rounded-lg border border-line bg-surface">
      <h2 id="tenants-to-watch" className="flex items-center gap-2 px-5 py-3 text-sm font-semibold">
        <TriangleAlert className="size-4" aria-hidden />{' '}
        {list.more
          ? fillIn(text.more_than, { count: formats.integer(count) })
          : formats.count(text.title, count)}
      </h2>
      <ul className="text-sm">
        {shown.map(({ tenant, kind, since, count: things }) => {
          const { icon: Icon, bad } = looks[kind]
          return (
            <li
              key={`${tenant.id} ${kind}`}
              className="flex items-center gap-x-4 gap-y-1 border-t border-line px-5 py-2.5 max-sm:flex-wrap"
            >
              <Icon
                className={bad === true ? 'size-4 shrink-0 text-bad' : 'size-4 shrink-0 text-wait'}
                aria-hidden
              />
              <p className="min-w-0 flex-1">
                <span className="font-semibold wrap-anywhere">{tenant.name}</span>:{' '}
                {formats.count(text.kinds[kind], things)}
              </p>
              <span className="text-soft max-sm:order-last max-sm:ml-8 max-sm:w-full">
                {kind === 'deletion_planned' ? (
                  <Time at={since} form="day" />
                ) : (
                  <Time at={since} form="relative" />
                )}
              </span>
              {kind === 'sign_up_waits' ? (
                <Link to="/sign-ups" className={buttonClasses('secondary', 'small')}>
                  {text.decide} <span className="sr-only">{tenant.name}</span>
                </Link>
              ) : (
                <Link
                  to="/tenants/$id"
                  params={{ id: tenant.id }}
                  className={buttonClasses('secondary', 'small')}
                >
                  {text.open} <span className="sr-only">{tenant.name}</span>
                </Link>
              )}
            </li>
          )
        })}
      </ul>
      {count > shownAtFirst && (
        <p className="border-t border-line px-5 py-2.5">
          <Button size="small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? text.fewer : formats.count(text.others, count - shownAtFirst)}
          </Button>
        </p>
      )}
    </section>
  )
}
