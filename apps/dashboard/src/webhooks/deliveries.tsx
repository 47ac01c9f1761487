import { useState, type ReactNode } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import type { DeliveryEvent, ForwardedEvent } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { call } from '../api/call.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import type { Formats } from '../texts/formats.ts'
import type { Texts } from '../texts/languages.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { classes } from '../ui/classes.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { DeliveryFilters, deliveryQuery, type DeliveryFilter } from './delivery-filters.tsx'
import { OutcomeBadge, outcomeTones, responseText, StateBadge } from './outcome-badge.tsx'
import { ResendFailed } from './resend-failed.tsx'
import { retryText } from './retry-text.ts'

const pageSize = 50

/** The log by event, newest first: a row for each event, its attempts inside. */
export function Deliveries({ testButton }: { testButton: ReactNode }) {
  const texts = useTexts()
  const formats = useFormats()
  const { webhooks } = texts
  const text = webhooks.deliveries
  const environment = useEnvironment()
  const { tab, ...filter } = useSearch({ from: '/shell/$environment/webhooks' })
  const navigate = useNavigate()
  const setFilter = (next: DeliveryFilter) =>
    void navigate({
      to: '.',
      search: { ...next, ...(tab !== undefined && { tab }) },
      replace: true,
      resetScroll: false,
    })
  const log = useInfiniteQuery({
    queryKey: ['listDeliveries', environment, filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        'listDeliveries',
        {
          params: { environment },
          query: { ...deliveryQuery(filter), limit: String(pageSize), before: pageParam ?? filter.before },
        },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ data }) => (data.length < pageSize ? undefined : data.at(-1)?.attempted_at),
  })
  const rows = log.data?.pages.flatMap(({ data }) => data) ?? []
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (key: string) => setOpen((before) => before.symmetricDifference(new Set([key])))
  const backoff_seconds = log.data?.pages[0]?.backoff_seconds
  const filtered = Object.keys(filter).length > 0
  return (
    <div className="grid gap-5">
      <DeliveryFilters filter={filter} onChange={setFilter} />
      <ResendFailed endpoint_id={filter.receiver} />
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
          rowKey={keyOf}
          columns={columns(texts, formats, { open, onToggle: toggle })}
          below={(row) => ('attempts' in row && open.has(keyOf(row)) ? <Attempts event={row} /> : undefined)}
        />
      )}
      <LoadMore query={log} label={text.load_older} />
    </div>
  )
}

type Row = DeliveryEvent | ForwardedEvent

function keyOf(row: Row): string {
  return 'forward_id' in row ? row.forward_id : `${row.verification_id}/${row.endpoint_id ?? ''}`
}

type OpenRows = { open: ReadonlySet<string>; onToggle: (key: string) => void }

function columns({ webhooks: text }: Texts, formats: Formats, rows: OpenRows): Column<Row>[] {
  return [
    { title: text.event, rowHeader: true, cell: (row) => <EventLink row={row} /> },
    {
      title: text.delivery.sent_to,
      cell: (row) =>
        'forward_id' in row ? (
          <Badge tone="accent">{text.deliveries.forwarded}</Badge>
        ) : (
          <code
            title={row.url}
            className="text-xs max-sm:break-all sm:block sm:max-w-24 sm:truncate xl:max-w-52"
          >
            {row.url?.replace(/^https?:\/\//, '') ?? '–'}
          </code>
        ),
    },
    {
      title: text.delivery.attempts,
      cell: (row) => ('attempts' in row ? <AttemptsButton event={row} {...rows} /> : '–'),
    },
    {
      title: text.delivery.state,
      cell: (row) =>
        'state' in row ? <StateBadge state={row.state} /> : <OutcomeBadge outcome={row.outcome} />,
    },
    {
      title: text.deliveries.last_response,
      cell: (row) => (
        <span className="grid max-sm:justify-items-end">
          <span>{responseText(row, text)}</span>
          {'state' in row && row.state === 'waiting' && row.next_attempt_at !== undefined && (
            <span className="text-xs text-soft">
              <Sentence
                text={text.deliveries.next}
                values={{ at: <Time at={row.next_attempt_at} form="relative" /> }}
              />
            </span>
          )}
          {row.duration_ms !== undefined && row.outcome === 'delivered' && (
            <span className="text-xs text-soft tabular">
              {fillIn(text.duration_ms, { duration: formats.integer(row.duration_ms) })}
            </span>
          )}
        </span>
      ),
    },
    {
      title: text.deliveries.latest,
      end: true,
      cell: ({ attempted_at }) => <Time at={attempted_at} form="relative" />,
    },
  ]
}

const linkClasses = 'text-accent underline-offset-4 hover:underline'

/** The name of the event and its verification, which lead to the page of its latest attempt. */
function EventLink({ row }: { row: Row }) {
  const text = useTexts().webhooks
  const id = `${row.verification_id.slice(0, 16)}…`
  if ('forward_id' in row)
    return (
      <Link
        to="/$environment/verifications/$id"
        from="/$environment/webhooks"
        params={{ id: row.verification_id }}
        className={classes('font-mono text-xs', linkClasses)}
      >
        {id}
        <span className="sr-only">{text.deliveries.forwarded_suffix}</span>
      </Link>
    )
  return (
    <Link
      to="/$environment/webhooks/$id/$attempt"
      from="/$environment/webhooks"
      params={{ id: row.verification_id, attempt: String(row.attempt) }}
      search={({ tab: _, ...filter }) => ({
        ...filter,
        ...(row.endpoint_id !== undefined && { endpoint_id: row.endpoint_id }),
      })}
      className={classes('inline-grid min-w-32 font-mono text-xs', linkClasses)}
    >
      {row.event_type !== undefined && (
        <span className="font-semibold [overflow-wrap:normal]">
          {/* It may break after its dot. */}
          {row.event_type.split('.')[0]}.<wbr />
          {row.event_type.split('.')[1]}{' '}
        </span>
      )}
      <span className="text-soft">{id}</span>
    </Link>
  )
}

const barClasses: Record<Tone, string> = {
  good: 'bg-good',
  bad: 'bg-bad',
  wait: 'bg-wait',
  plain: 'bg-edge',
  accent: 'bg-accent',
}
const maxBars = 8

/** A bar for each attempt, oldest first, and one in outline for the next. Pressed, it shows them below the row. */
function AttemptsButton({ event, open, onToggle }: { event: DeliveryEvent } & OpenRows) {
  const text = useTexts().webhooks.deliveries
  const formats = useFormats()
  const key = keyOf(event)
  const attempts = formats.count(text.attempts, event.attempt)
  return (
    <button
      type="button"
      aria-expanded={open.has(key)}
      aria-label={fillIn(text.show_attempts, { event: event.verification_id.slice(0, 16), attempts })}
      onClick={() => onToggle(key)}
      className="inline-flex h-8 items-center gap-2 rounded-md px-1.5 hover:bg-sunken sm:-ms-1.5"
    >
      <span aria-hidden className="flex gap-0.5">
        {event.attempts
          .slice(0, maxBars)
          .toReversed()
          .map(({ attempt, outcome }) => (
            <span
              key={attempt}
              className={classes('h-3.5 w-1.5 rounded-xs', barClasses[outcomeTones[outcome]])}
            />
          ))}
        {event.state === 'waiting' && (
          <span className="h-3.5 w-1.5 rounded-xs border border-dashed border-edge" />
        )}
      </span>
      <span aria-hidden className="tabular text-soft">
        {formats.integer(event.attempt)}
      </span>
      <ChevronDown
        aria-hidden
        className={classes('size-3.5 text-soft transition-transform', open.has(key) && 'rotate-180')}
      />
    </button>
  )
}

/** Newest first, each with its reason, and a link to its own page. */
function Attempts({ event }: { event: DeliveryEvent }) {
  const text = useTexts().webhooks
  return (
    <ul className="w-full divide-y divide-line rounded-md border border-line bg-canvas text-sm">
      {event.attempts.map((each) => (
        <li
          key={each.attempt}
          className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1 px-3 py-2 text-start sm:grid-cols-[6rem_11rem_9rem_1fr_auto]"
        >
          <Link
            to="/$environment/webhooks/$id/$attempt"
            from="/$environment/webhooks"
            params={{ id: event.verification_id, attempt: String(each.attempt) }}
            search={({ tab: _, ...filter }) => ({
              ...filter,
              ...(event.endpoint_id !== undefined && { endpoint_id: event.endpoint_id }),
            })}
            className={linkClasses}
          >
            {fillIn(text.deliveries.attempt_link, { attempt: each.attempt })}
          </Link>
          <Time at={each.attempted_at} form="exact" />
          <span>
            <OutcomeBadge outcome={each.outcome} />
          </span>
          <span className="max-sm:col-span-2">{responseText(each, text)}</span>
          <span className="text-soft tabular max-sm:col-span-2">
            {each.duration_ms !== undefined && fillIn(text.duration_ms, { duration: each.duration_ms })}
          </span>
        </li>
      ))}
    </ul>
  )
}
