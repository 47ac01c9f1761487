import { useState, type ReactNode } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { DeliveryAttempt, ForwardedEvent } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { call } from '../api/call.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import type { Texts } from '../texts/languages.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { Badge } from '../ui/badge.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { DeliveryFilters, type DeliveryFilter } from './delivery-filters.tsx'
import { OutcomeBadge } from './outcome-badge.tsx'
import { ResendFailed } from './resend-failed.tsx'
import { retryText } from './retry-text.ts'

const pageSize = 50

/** The log of delivery attempts, newest first. */
export function Deliveries({ testButton }: { testButton: ReactNode }) {
  const texts = useTexts()
  const formats = useFormats()
  const { webhooks } = texts
  const text = webhooks.deliveries
  const environment = useEnvironment()
  const [filter, setFilter] = useState<DeliveryFilter>({})
  const log = useInfiniteQuery({
    queryKey: ['listDeliveries', environment, filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        'listDeliveries',
        {
          params: { environment },
          query: { ...filter, limit: String(pageSize), before: pageParam ?? filter.before },
        },
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
      <DeliveryFilters filter={filter} onChange={setFilter} />
      <ResendFailed endpoint_id={filter.endpoint_id} />
      {backoff_seconds !== undefined && (
        <p className="text-sm text-soft">{retryText(backoff_seconds, webhooks.retries, formats)}</p>
      )}
      {log.error !== null && <ErrorMessage error={log.error} retry={() => void log.refetch()} />}
      {log.isPending && <SkeletonRows />}
      {log.isSuccess && rows.length === 0 && !filtered && (
        <EmptyState title={text.empty_title} action={testButton}>
          <p>
            <Sentence text={text.empty_what} values={{ member: <code>webhook_url</code> }} />
          </p>
          <p>{text.empty_verify}</p>
        </EmptyState>
      )}
      {log.isSuccess && rows.length === 0 && filtered && (
        <p className="py-8 text-center text-soft">{text.no_match}</p>
      )}
      {rows.length > 0 && (
        <Table
          caption={text.caption}
          rows={rows}
          rowKey={(row) =>
            'forward_id' in row
              ? row.forward_id
              : `${row.verification_id}/${row.endpoint_id ?? ''}/${row.attempt}`
          }
          columns={columns(texts)}
        />
      )}
      <LoadMore query={log} label={text.load_older} />
    </div>
  )
}

const linkClasses = 'font-mono text-xs text-accent underline-offset-4 hover:underline'

function columns({
  webhooks: text,
  webhook_endpoints: endpointTexts,
  common,
}: Texts): Column<DeliveryAttempt | ForwardedEvent>[] {
  return [
    {
      title: text.event,
      rowHeader: true,
      cell: (row) =>
        'forward_id' in row ? (
          <Link
            to="/$environment/verifications/$id"
            from="/$environment/webhooks"
            params={{ id: row.verification_id }}
            className={linkClasses}
          >
            {row.verification_id.slice(0, 16)}…
            <span className="sr-only">{text.deliveries.forwarded_suffix}</span>
          </Link>
        ) : (
          <Link
            to="/$environment/webhooks/$id/$attempt"
            from="/$environment/webhooks"
            params={{ id: row.verification_id, attempt: String(row.attempt) }}
            search={row.endpoint_id === undefined ? {} : { endpoint_id: row.endpoint_id }}
            className={linkClasses}
          >
            {row.verification_id.slice(0, 16)}…
            <span className="sr-only">
              {fillIn(text.deliveries.attempt_suffix, { attempt: row.attempt })}
            </span>
          </Link>
        ),
    },
    {
      title: text.delivery.sent_to,
      cell: (row) =>
        'forward_id' in row ? (
          '–'
        ) : (
          <span className="grid gap-0.5 max-sm:justify-items-end">
            {row.event_type !== undefined && <span>{endpointTexts.event_types[row.event_type]}</span>}
            <code className="max-w-64 text-xs break-all text-soft max-sm:text-end">{row.url ?? '–'}</code>
          </span>
        ),
    },
    { title: text.outcome, cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
    { title: common.status, cell: ({ status }) => <span className="tabular">{status ?? '–'}</span> },
    {
      title: text.attempt,
      cell: (row) =>
        'forward_id' in row ? (
          <Badge tone="accent">{text.deliveries.forwarded}</Badge>
        ) : (
          <span className="tabular">{row.attempt}</span>
        ),
    },
    {
      title: text.duration,
      cell: ({ duration_ms }) => (
        <span className="tabular">
          {duration_ms === undefined ? '–' : fillIn(text.duration_ms, { duration: duration_ms })}
        </span>
      ),
    },
    { title: text.time, end: true, cell: ({ attempted_at }) => <Time at={attempted_at} form="exact" /> },
  ]
}
