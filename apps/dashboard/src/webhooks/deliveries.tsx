import { useState, type ReactNode } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { DeliveryAttempt, ForwardedEvent } from '@vidimus/contract'
import { call, type OperationInput } from '../api/call.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { Badge } from '../ui/badge.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { OutcomeBadge } from './outcome-badge.tsx'
import { retryText } from './retry-text.ts'

type Query = NonNullable<OperationInput<'listDeliveries'>['query']>
type Filter = Pick<Query, 'outcome' | 'verification_id'>

const pageSize = 50

/** The log of delivery attempts, newest first (DASH-3). */
export function Deliveries({ testButton }: { testButton: ReactNode }) {
  const environment = useEnvironment()
  const [filter, setFilter] = useState<Filter>({})
  const log = useInfiniteQuery({
    queryKey: ['listDeliveries', environment, filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        'listDeliveries',
        { params: { environment }, query: { ...filter, limit: String(pageSize), before: pageParam } },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ data }) => (data.length < pageSize ? undefined : data.at(-1)?.attempted_at),
  })
  const rows = log.data?.pages.flatMap(({ data }) => data) ?? []
  const backoff_seconds = log.data?.pages[0]?.backoff_seconds
  const filtered = Object.values(filter).some((value) => value !== undefined && value !== '')
  return (
    <div className="grid gap-5">
      <div className="grid gap-4 sm:grid-cols-[14rem_1fr]">
        <SelectField
          label="Outcome"
          value={filter.outcome ?? ''}
          onChange={({ target }) =>
            setFilter({
              ...filter,
              outcome: target.value === '' ? undefined : (target.value as Filter['outcome']),
            })
          }
        >
          <option value="">All</option>
          <option value="succeeded">Delivered</option>
          <option value="unsuccessful">Not delivered</option>
        </SelectField>
        <TextField
          label="Verification"
          placeholder="vs_…"
          maxLength={128}
          value={filter.verification_id ?? ''}
          onChange={({ target }) =>
            setFilter({ ...filter, verification_id: target.value.trim() || undefined })
          }
        />
      </div>
      {backoff_seconds !== undefined && <p className="text-sm text-soft">{retryText(backoff_seconds)}</p>}
      {log.error !== null && <ErrorMessage error={log.error} retry={() => void log.refetch()} />}
      {log.isPending && <SkeletonRows />}
      {log.isSuccess && rows.length === 0 && !filtered && (
        <EmptyState title="No deliveries yet" action={testButton}>
          <p>
            Set a <code>webhook_url</code> when you create a verification, and the result is sent there. Every
            attempt is listed here with its HTTP status and duration.
          </p>
          <p>
            Verify the signature of every message. The signature debugger tells you why one does not match.
          </p>
        </EmptyState>
      )}
      {log.isSuccess && rows.length === 0 && filtered && (
        <p className="py-8 text-center text-soft">No attempts match.</p>
      )}
      {rows.length > 0 && (
        <Table
          caption="Delivery attempts, newest first"
          rows={rows}
          rowKey={(row) => ('forward_id' in row ? row.forward_id : `${row.verification_id}/${row.attempt}`)}
          columns={columns}
        />
      )}
      <LoadMore query={log} label="Load older attempts" />
    </div>
  )
}

const linkClasses = 'font-mono text-xs text-accent underline-offset-4 hover:underline'

const columns: readonly Column<DeliveryAttempt | ForwardedEvent>[] = [
  {
    title: 'Event',
    rowHeader: true,
    cell: (row) =>
      'forward_id' in row ? (
        <Link
          to="/$environment/verifications/$id"
          from="/$environment/webhooks"
          params={{ id: row.verification_id }}
          className={linkClasses}
        >
          {row.verification_id.slice(0, 16)}…<span className="sr-only">, forwarded</span>
        </Link>
      ) : (
        <Link
          to="/$environment/webhooks/$id/$attempt"
          from="/$environment/webhooks"
          params={{ id: row.verification_id, attempt: String(row.attempt) }}
          className={linkClasses}
        >
          {row.verification_id.slice(0, 16)}…<span className="sr-only">, attempt {row.attempt}</span>
        </Link>
      ),
  },
  { title: 'Outcome', cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
  { title: 'Status', cell: ({ status }) => <span className="tabular">{status ?? '–'}</span> },
  {
    title: 'Attempt',
    cell: (row) =>
      'forward_id' in row ? (
        <Badge tone="accent">Forwarded by listen</Badge>
      ) : (
        <span className="tabular">{row.attempt}</span>
      ),
  },
  {
    title: 'Duration',
    cell: ({ duration_ms }) => (
      <span className="tabular">{duration_ms === undefined ? '–' : `${duration_ms} ms`}</span>
    ),
  },
  { title: 'Time', end: true, cell: ({ attempted_at }) => <Time at={attempted_at} form="exact" /> },
]
