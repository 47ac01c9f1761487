import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import type { UsageRow } from '@vidimus/contract'
import type { OutcomeCounts } from '../../overview/figures/outcome-chart.tsx'
import type { Formats } from '../../texts/formats.ts'
import { useFormats } from '../../texts/texts-context.ts'
import { Badge } from '../../ui/badge.tsx'
import { buttonClasses } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copyable.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { SelectField } from '../../ui/field.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Segments } from '../../ui/segments.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { call, operationUrl } from '../api.ts'
import { usePermission } from '../shell/console-context.ts'
import { PageForRole } from '../shell/not-for-role.tsx'
import { useConsoleTexts, type ConsoleTexts } from '../texts/console-texts.ts'

const counted = ['created', 'completed', 'failed', 'declined', 'expired', 'pending'] as const
const environments = ['live', 'test'] as const
const offeredMonths = 14

/** What every tenant used in a month, by environment and outcome. */
export function Usage() {
  const text = useConsoleTexts().usage
  return (
    <PageForRole permission="read_usage" text={text}>
      <UsageOfMonth />
    </PageForRole>
  )
}

type Filter = { month: string; environment: (typeof environments)[number] | undefined }

function UsageOfMonth() {
  const { usage: text } = useConsoleTexts()
  const formats = useFormats()
  const canReadTenants = usePermission('read_tenants')
  const search = useSearch({ from: '/shell/usage' })
  const months = lastMonths()
  const filter: Filter = {
    month: months.find((month) => month === search.month) ?? months[0] ?? '',
    // Live is what is billed. `both` shows a row for each.
    environment: search.environment === 'both' ? undefined : search.environment === 'test' ? 'test' : 'live',
  }
  const usage = useInfiniteQuery({
    queryKey: ['listUsage', filter],
    queryFn: ({ pageParam, signal }) => call('listUsage', { query: { ...filter, after: pageParam } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })
  const rows = usage.data?.pages
    .flatMap(({ data }) => data)
    .toSorted((a, b) => b.created - a.created || a.tenant_id.localeCompare(b.tenant_id))
  const both = filter.environment === undefined
  const url = operationUrl('exportUsage', { query: filter })
  return (
    <Page
      title={text.title}
      description={text.description}
      actions={
        <a href={url} download={`usage-${filter.month}.csv`} className={buttonClasses('primary')}>
          <Download className="size-4" aria-hidden /> {text.download}
        </a>
      }
    >
      <div className="grid gap-4">
        <UsageFilters filter={filter} months={months} rows={rows} />
        {usage.error !== null && <ErrorMessage error={usage.error} retry={() => void usage.refetch()} />}
        {usage.isPending && <SkeletonRows rows={6} />}
        {rows?.length === 0 && (
          <EmptyState title={text.empty_title}>
            <p>{text.empty_text}</p>
          </EmptyState>
        )}
        {rows !== undefined && rows.length > 0 && (
          <Table
            caption={text.caption}
            rows={rows}
            rowKey={({ tenant_id, environment }) => `${tenant_id} ${environment}`}
            columns={columns(text, { formats, canReadTenants, both })}
            sum={sumRows(rows, { formats, text, both, isComplete: !usage.hasNextPage })}
          />
        )}
        <LoadMore query={usage} label={text.load_more} />
        <Card title={text.by_api.title} description={text.by_api.description}>
          <CodeBlock text={`GET ${url}\nAuthorization: Bearer vo_…`} label={text.by_api.copy} />
        </Card>
      </div>
    </Page>
  )
}

type UsageFiltersProps = { filter: Filter; months: readonly string[]; rows: readonly UsageRow[] | undefined }

function UsageFilters({ filter, months, rows }: UsageFiltersProps) {
  const { usage: text, common } = useConsoleTexts()
  const formats = useFormats()
  const search = useSearch({ from: '/shell/usage' })
  const navigate = useNavigate()
  const set = (changed: { month?: string; environment?: string }) =>
    void navigate({ to: '/usage', search: { ...search, ...changed }, replace: true, resetScroll: false })
  const isOver = filter.month !== months[0]
  const isFinal = isOver && rows?.every((row) => row.final) === true
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="w-full sm:w-56">
        <SelectField
          label={text.month}
          value={filter.month}
          onChange={({ target }) => set({ month: target.value })}
        >
          {months.map((month) => (
            <option key={month} value={month}>
              {formats.month(new Date(`${month}-01`))}
            </option>
          ))}
        </SelectField>
      </div>
      <Segments
        label={text.environment}
        value={filter.environment ?? 'both'}
        onChange={(environment) => set({ environment })}
        options={[
          ...environments.map((value) => ({ value, label: common.environments[value] })),
          { value: 'both', label: text.both },
        ]}
      />
      {rows !== undefined && rows.length > 0 && (
        <span className="ml-auto pb-2">
          {isFinal ? (
            <Badge tone="good" dot>
              {text.final}
            </Badge>
          ) : (
            <Badge tone="wait" dot>
              {text.not_final}
            </Badge>
          )}
        </span>
      )}
    </div>
  )
}

type ColumnOptions = { formats: Formats; canReadTenants: boolean; both: boolean }

function columns(
  text: ConsoleTexts['usage'],
  { formats, canReadTenants, both }: ColumnOptions,
): Column<UsageRow>[] {
  return [
    {
      title: text.tenant,
      rowHeader: true,
      cell: ({ tenant_id, name }) => {
        if (name === undefined)
          return (
            <span className="grid">
              <span className="text-soft">{text.deleted}</span>
              <code className="text-xs text-soft">{tenant_id}</code>
            </span>
          )
        if (!canReadTenants) return <span className="font-semibold">{name}</span>
        return (
          <Link
            to="/tenants/$id"
            params={{ id: tenant_id }}
            className="font-semibold underline-offset-4 hover:underline"
          >
            {name}
          </Link>
        )
      },
    },
    ...(both
      ? [
          {
            title: text.environment,
            cell: ({ environment }: UsageRow) => text.environments[environment],
          },
        ]
      : []),
    ...counted.map((name) => ({
      title: text.columns[name],
      end: true as const,
      cell: (row: OutcomeCounts) => <span className="tabular">{formats.integer(row[name])}</span>,
    })),
  ]
}

type SumOptions = { formats: Formats; text: ConsoleTexts['usage']; both: boolean; isComplete: boolean }

/** The cells of the last row: of all tenants, or of those that are shown. */
function sumRows(rows: readonly UsageRow[], { formats, text, both, isComplete }: SumOptions): string[] {
  const tenants = new Set(rows.map(({ tenant_id }) => tenant_id)).size
  return [
    formats.count(isComplete ? text.sum : text.sum_shown, tenants),
    ...(both ? [''] : []),
    ...counted.map((name) => formats.integer(rows.reduce((sum, row) => sum + row[name], 0))),
  ]
}

/** This month in UTC, and those before it. */
function lastMonths(): string[] {
  const now = new Date()
  return Array.from({ length: offeredMonths }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  )
}
