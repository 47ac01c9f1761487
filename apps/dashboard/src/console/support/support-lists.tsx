import type { ReactNode } from 'react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type {
  Environment,
  LoggedRequest,
  StatusName,
  SupportDelivery,
  SupportVerification,
} from '@vidimus/contract'
import { useFormats } from '../../texts/texts-context.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { call } from '../api.ts'
import { useConsoleTexts } from '../texts/console-texts.ts'

type ListProps = { tenant_id: string; environment: Environment }

/** Each request is an entry of the tenant's log, so a list is read when it is opened and not again by itself. */
const once = {
  staleTime: Infinity,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  retry: false,
} as const
const pageSize = 50

const statusTones: Record<StatusName, Tone> = {
  pending: 'wait',
  completed: 'good',
  failed: 'bad',
  expired: 'plain',
}

export function SupportVerifications({ tenant_id: id, environment }: ListProps) {
  const { support: page, common } = useConsoleTexts()
  const text = page.verifications
  const list = useInfiniteQuery({
    ...once,
    queryKey: ['listSupportVerifications', id, environment],
    queryFn: ({ pageParam, signal }) =>
      call('listSupportVerifications', { params: { id, environment }, query: { before: pageParam } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => next_before,
  })
  const columns: Column<SupportVerification>[] = [
    { title: text.hash, rowHeader: true, cell: ({ hash }) => <Hash>{hash}</Hash> },
    {
      title: common.status,
      cell: ({ status, error_code }) => (
        <span className="grid justify-items-start gap-1 max-sm:justify-items-end">
          <Badge tone={statusTones[status]} dot>
            {text.statuses[status]}
          </Badge>
          {error_code !== undefined && <code className="text-xs text-soft">{error_code}</code>}
        </span>
      ),
    },
    { title: common.template, cell: ({ template }) => <code className="text-xs">{template ?? '–'}</code> },
    { title: common.created, cell: ({ created_at }) => <Time at={created_at} /> },
    {
      title: text.responded,
      end: true,
      cell: ({ responded_at }) => (responded_at === undefined ? '–' : <Time at={responded_at} />),
    },
  ]
  const rows = list.data?.pages.flatMap(({ data }) => data)
  return (
    <Rows
      query={list}
      rows={rows}
      caption={page.views.verifications}
      columns={columns}
      rowKey={({ hash }) => hash}
    >
      <LoadMore query={list} label={page.load_older} />
    </Rows>
  )
}

const deliveryTones: Record<SupportDelivery['state'], Tone> = {
  delivered: 'good',
  waiting: 'wait',
  sending: 'wait',
  exhausted: 'bad',
  unknown: 'wait',
}

export function SupportDeliveries({ tenant_id: id, environment }: ListProps) {
  const { support: page } = useConsoleTexts()
  const text = page.deliveries
  const formats = useFormats()
  const list = useInfiniteQuery({
    ...once,
    queryKey: ['listSupportDeliveries', id, environment],
    queryFn: ({ pageParam, signal }) =>
      call(
        'listSupportDeliveries',
        { params: { id, environment }, query: { before: pageParam, limit: String(pageSize) } },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ data }) => (data.length < pageSize ? undefined : data.at(-1)?.attempted_at),
  })
  const columns: Column<SupportDelivery>[] = [
    {
      title: text.event,
      rowHeader: true,
      cell: ({ event_type, hash }) => (
        <span className="grid gap-0.5">
          <code className="text-xs font-semibold">{event_type}</code>
          <Hash>{hash}</Hash>
        </span>
      ),
    },
    {
      title: text.state,
      cell: ({ state, error }) => (
        <span className="grid justify-items-start gap-1 max-sm:justify-items-end">
          <Badge tone={deliveryTones[state]} dot>
            {text.states[state]}
          </Badge>
          {error !== undefined && (
            <span lang="en" className="text-xs wrap-anywhere text-soft">
              {error}
            </span>
          )}
        </span>
      ),
    },
    { title: text.host, cell: ({ host }) => <code className="text-xs break-all">{host ?? '–'}</code> },
    {
      title: text.response,
      cell: ({ status, duration_ms }) => (
        <span className="tabular">
          {status ?? '–'}
          {duration_ms !== undefined && (
            <span className="block text-xs text-soft">{formats.integer(duration_ms)} ms</span>
          )}
        </span>
      ),
    },
    {
      title: text.attempt,
      end: true,
      cell: ({ attempt, attempted_at }) => (
        <span className="grid justify-items-end">
          <Time at={attempted_at} />
          <span className="text-xs text-soft">{formats.integer(attempt)}.</span>
        </span>
      ),
    },
  ]
  const rows = list.data?.pages.flatMap(({ data }) => data)
  return (
    <Rows
      query={list}
      rows={rows}
      caption={page.views.deliveries}
      columns={columns}
      rowKey={({ hash, event_type, endpoint_id, attempted_at }) =>
        `${hash} ${event_type} ${endpoint_id ?? ''} ${attempted_at}`
      }
    >
      <LoadMore query={list} label={page.load_older} />
    </Rows>
  )
}

export function SupportRequests({ tenant_id: id, environment }: ListProps) {
  const { support: page, common } = useConsoleTexts()
  const text = page.requests
  const formats = useFormats()
  const list = useInfiniteQuery({
    ...once,
    queryKey: ['listSupportRequests', id, environment],
    queryFn: ({ pageParam, signal }) =>
      call('listSupportRequests', { params: { id, environment }, query: { before: pageParam } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => next_before,
  })
  const columns: Column<LoggedRequest>[] = [
    {
      title: text.request,
      rowHeader: true,
      cell: ({ method, route, request_id }) => (
        <span className="grid gap-0.5">
          <code className="text-xs break-all">
            <span className="font-semibold">{method}</span> {route}
          </code>
          <Hash>{request_id}</Hash>
        </span>
      ),
    },
    {
      title: common.status,
      cell: ({ status, error_code }) => (
        <span className="grid justify-items-start gap-1 max-sm:justify-items-end">
          <Badge tone={status >= 500 ? 'bad' : status >= 400 ? 'wait' : 'good'}>{status}</Badge>
          {error_code !== undefined && <code className="text-xs text-soft">{error_code}</code>}
        </span>
      ),
    },
    {
      title: text.duration,
      cell: ({ duration_ms }) => (
        <span className="tabular whitespace-nowrap">
          {formats.decimal(duration_ms, duration_ms < 10 ? 1 : 0)} ms
        </span>
      ),
    },
    { title: text.time, end: true, cell: ({ at }) => <Time at={at} form="exact" /> },
  ]
  const rows = list.data?.pages.flatMap(({ data }) => data)
  return (
    <Rows
      query={list}
      rows={rows}
      caption={page.views.requests}
      columns={columns}
      rowKey={({ request_id, at }) => `${request_id} ${at}`}
    >
      <LoadMore query={list} label={page.load_older} />
    </Rows>
  )
}

type TemplateRow = { key: string; name: string; registration: string }

/** The tenant's own templates: what they ask for is in its configuration, which has no secret. */
export function SupportTemplates({ tenant_id: id, environment }: ListProps) {
  const { support: page, common } = useConsoleTexts()
  const list = useQuery({
    ...once,
    queryKey: ['getSupportConfig', id, environment],
    queryFn: ({ signal }) => call('getSupportConfig', { params: { id, environment } }, signal),
  })
  const rows =
    list.data &&
    Object.entries(list.data.templates ?? {}).map(([key, { template, registration }]): TemplateRow => {
      const name = template?.['name']
      return { key, name: typeof name === 'string' ? name : '–', registration: registration ?? '–' }
    })
  return (
    <Rows
      query={list}
      rows={rows}
      caption={page.views.templates}
      columns={[
        {
          title: common.name,
          rowHeader: true,
          cell: ({ name }) => <span className="font-medium">{name}</span>,
        },
        { title: page.templates.key, cell: ({ key }) => <code className="text-xs">{key}</code> },
        { title: page.templates.registration, end: true, cell: ({ registration }) => registration },
      ]}
      rowKey={({ key }) => key}
    />
  )
}

type RowsProps<Row> = {
  query: { error: Error | null; isPending: boolean; refetch: () => unknown }
  rows: readonly Row[] | undefined
  caption: string
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  children?: ReactNode
}

function Rows<Row>({ query, rows, caption, columns, rowKey, children }: RowsProps<Row>) {
  const text = useConsoleTexts().support
  return (
    <div className="grid gap-4">
      {query.error !== null && <ErrorMessage error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <SkeletonRows rows={6} />}
      {rows?.length === 0 && <p className="py-8 text-center text-soft">{text.empty}</p>}
      {rows !== undefined && rows.length > 0 && (
        <Table caption={caption} columns={columns} rows={rows} rowKey={rowKey} />
      )}
      {children}
    </div>
  )
}

function Hash({ children }: { children: string }) {
  return (
    <code title={children} className="block max-w-40 truncate text-xs text-soft">
      {children}
    </code>
  )
}
