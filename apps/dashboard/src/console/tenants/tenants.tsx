import { useState } from 'react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import type { OperatorTenant, OperatorTenantList } from '@vidimus/contract'
import { useFormats } from '../../texts/texts-context.ts'
import type { Formats } from '../../texts/formats.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Page } from '../../ui/page.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Segments } from '../../ui/segments.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { LastTime, Time } from '../../ui/time.tsx'
import { useDelayedText } from '../../ui/use-delayed-text.ts'
import { call } from '../api.ts'
import { usePermission } from '../shell/console-context.ts'
import { PageForRole } from '../shell/not-for-role.tsx'
import { useConsoleTexts, type ConsoleTexts } from '../texts/console-texts.ts'
import { CreateTenant } from './create-tenant.tsx'
import { QuotaMeter } from './quota-meter.tsx'
import { StateBadge } from './state-badge.tsx'
import { TenantsToWatch } from './tenant-attention.tsx'

const states = ['active', 'suspended', 'closed'] as const satisfies readonly OperatorTenant['state'][]

/** Every tenant of the installation, by name. */
export function Tenants() {
  const text = useConsoleTexts().tenants
  return (
    <PageForRole permission="read_tenants" text={text}>
      <TenantList />
    </PageForRole>
  )
}

function TenantList() {
  const { tenants: text, ui } = useConsoleTexts()
  const formats = useFormats()
  const canManage = usePermission('manage_tenants')
  const [creating, setCreating] = useState(false)
  const { q, state: stateInAddress } = useSearch({ from: '/shell/tenants' })
  const state = states.find((each) => each === stateInAddress)
  const list = useInfiniteQuery({
    queryKey: ['listTenants', { q, state }],
    queryFn: ({ pageParam, signal }) =>
      call('listTenants', { query: { q, state, after: pageParam } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    // The table stays while the next filter loads.
    placeholderData: keepPreviousData,
  })
  const rows = list.data?.pages.flatMap(({ data }) => data)
  const counts = list.data?.pages[0]?.counts
  const isEmpty = counts !== undefined && sumCounts(counts) === 0
  const create = canManage && (
    <Button
      variant="primary"
      icon={<Plus className="size-4" aria-hidden />}
      onClick={() => setCreating(true)}
    >
      {text.create.title}
    </Button>
  )
  return (
    <Page title={text.title} description={text.description} actions={create}>
      <div className="grid gap-4">
        <TenantsToWatch />
        {!isEmpty && <TenantFilters counts={counts} />}
        {list.error !== null && <ErrorMessage error={list.error} retry={() => void list.refetch()} />}
        {list.isPending && <SkeletonRows rows={6} />}
        {isEmpty && (
          <EmptyState title={text.empty_title} action={create}>
            <p>{text.empty_text}</p>
          </EmptyState>
        )}
        {!isEmpty && rows?.length === 0 && <p className="py-8 text-center text-soft">{text.no_match}</p>}
        {rows !== undefined && rows.length > 0 && (
          <Table
            caption={text.caption}
            rows={rows}
            rowKey={({ id }) => id}
            columns={columns(text, formats)}
          />
        )}
        <LoadMore query={list} label={text.load_more} />
      </div>
      {creating && <CreateTenant onClose={() => setCreating(false)} />}
      <span className="sr-only" role="status">
        {list.isFetching ? ui.loading : ''}
      </span>
    </Page>
  )
}

function TenantFilters({ counts }: { counts: OperatorTenantList['counts'] | undefined }) {
  const { tenants: text, common } = useConsoleTexts()
  const filter = useSearch({ from: '/shell/tenants' })
  const navigate = useNavigate()
  const set = (name: keyof typeof filter, value: string) => {
    const { [name]: _, ...others } = filter
    const search = value === '' ? others : { ...others, [name]: value }
    void navigate({ to: '/tenants', search, replace: true, resetScroll: false })
  }
  const searched = useDelayedText(filter.q, (value) => set('q', value))
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <Segments
        label={text.state}
        value={filter.state ?? ''}
        onChange={(value) => set('state', value)}
        options={[
          { value: '', label: common.all, count: counts && sumCounts(counts) },
          ...states.map((state) => ({ value: state, label: text.states[state], count: counts?.[state] })),
        ]}
      />
      <SearchField label={text.search} {...searched} />
    </div>
  )
}

function sumCounts({ active, suspended, closed }: OperatorTenantList['counts']): number {
  return active + suspended + closed
}

function columns(text: ConsoleTexts['tenants'], formats: Formats): Column<OperatorTenant>[] {
  return [
    {
      title: text.tenant,
      rowHeader: true,
      cell: ({ id, name, external_id }) => (
        <span className="grid gap-0.5">
          <Link
            to="/tenants/$id"
            params={{ id }}
            className="w-fit font-semibold underline-offset-4 hover:underline"
          >
            {name}
          </Link>
          <code title={external_id ?? id} className="text-xs text-soft sm:max-w-48 sm:truncate">
            {external_id ?? id}
          </code>
        </span>
      ),
    },
    {
      title: text.state,
      cell: ({ state, deletion_at }) => (
        <span className="inline-flex flex-col items-start gap-1 max-sm:items-end">
          <StateBadge state={state} />
          {deletion_at !== undefined && (
            <Badge tone="bad">
              {text.deleted_on} <Time at={deletion_at} form="day" />
            </Badge>
          )}
        </span>
      ),
    },
    { title: text.plan, cell: ({ plan }) => <span className="whitespace-nowrap">{plan}</span> },
    {
      title: text.today,
      cell: ({ created_today, daily_quota }) => <QuotaMeter used={created_today} quota={daily_quota} />,
    },
    {
      title: text.live_this_month,
      end: true,
      cell: ({ live_this_month }) => (
        <span className="tabular">{formats.integer(live_this_month.created)}</span>
      ),
    },
    {
      title: text.accepted,
      end: true,
      cell: ({ live_this_month }) => (
        <span className="tabular">
          {formatAccepted(live_this_month, formats) ?? <span className="text-soft">–</span>}
        </span>
      ),
    },
    {
      title: text.last_active,
      end: true,
      cell: ({ last_active_at }) => (
        <span className="text-soft">
          <LastTime at={last_active_at} />
        </span>
      ),
    },
  ]
}

/** The share of verifications that were accepted. Undefined if there are none. */
export function formatAccepted(
  { created, completed }: { created: number; completed: number },
  formats: Formats,
): string | undefined {
  return created === 0 ? undefined : formats.percent(completed / created)
}
