import { useState } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { AuditEntry, AuditList } from '@vidimus/contract'
import { operationUrl, call } from '../api/call.ts'
import { buttonClasses } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { TextField } from '../ui/field.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { CheckChain } from './check-chain.tsx'
import { actionLabel } from './action-labels.ts'

type Filter = { action?: string; actor?: string; subject?: string }

const filterFields = [
  ['action', 'Action', 'key.created'],
  ['actor', 'Actor', 'member:…'],
  ['subject', 'Subject', 'vs_…'],
] as const

/** While entries wait to be added to the chain, the page polls. */
const refetchInterval_ms = 1000

export function Audit() {
  const [filter, setFilter] = useState<Filter>({})
  const log = useInfiniteQuery({
    queryKey: ['listAudit', filter],
    queryFn: ({ pageParam, signal }) =>
      call('listAudit', { query: { ...filter, before_seq: pageParam } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before_seq }) =>
      next_before_seq === undefined ? undefined : String(next_before_seq),
    refetchInterval: ({ state }) => countWaiting(state.data) > 0 && refetchInterval_ms,
  })
  const rows = log.data?.pages.flatMap(({ data }) => data) ?? []
  const waiting = countWaiting(log.data)
  const filtered = Object.values(filter).some((value) => value !== '')
  return (
    <Page
      title="Audit"
      description="Who did what, when and why, in a tamper-evident chain. Claims are never recorded."
      actions={
        <a href={operationUrl('exportAudit', {})} download="audit.jsonl" className={buttonClasses()}>
          <Download className="size-4" aria-hidden /> Export
        </a>
      }
    >
      <div className="grid gap-6">
        <CheckChain />
        <div className="grid gap-4 sm:grid-cols-3">
          {filterFields.map(([name, label, example]) => (
            <TextField
              key={name}
              label={label}
              placeholder={example}
              maxLength={128}
              value={filter[name] ?? ''}
              onChange={({ target }) => setFilter({ ...filter, [name]: target.value.trim() })}
            />
          ))}
        </div>
        {waiting > 0 && (
          <p className="text-sm text-soft">
            {waiting === 1
              ? '1 entry is waiting to be added to the chain.'
              : `${waiting} entries are waiting to be added to the chain.`}
          </p>
        )}
        {log.error !== null && <ErrorMessage error={log.error} retry={() => void log.refetch()} />}
        {log.isPending && <SkeletonRows rows={8} />}
        {log.isSuccess && rows.length === 0 && !filtered && (
          <EmptyState title="No audit entries yet">
            <p>
              Every change is recorded here with who made it, and so is every time someone reveals claims or a
              secret.
            </p>
          </EmptyState>
        )}
        {log.isSuccess && rows.length === 0 && filtered && (
          <p className="py-8 text-center text-soft">No entries match.</p>
        )}
        {rows.length > 0 && (
          <Table
            caption="Audit entries, newest first"
            rows={rows}
            rowKey={({ seq }) => String(seq)}
            columns={columns}
          />
        )}
        <LoadMore query={log} label="Load older entries" />
      </div>
    </Page>
  )
}

const countWaiting = (log: { pages: AuditList[] } | undefined): number => log?.pages[0]?.waiting ?? 0

const columns: readonly Column<AuditEntry>[] = [
  {
    title: 'Action',
    rowHeader: true,
    cell: ({ action, detail }) => (
      <div>
        <span className="font-medium">{actionLabel(action)}</span>
        <span className="block font-mono text-xs whitespace-nowrap text-soft">{action}</span>
        {detail !== undefined && Object.keys(detail).length > 0 && <Details detail={detail} />}
      </div>
    ),
  },
  {
    title: 'Actor',
    cell: ({ actor, actor_name }) => (
      <span className="grid max-sm:justify-items-end">
        {actor_name !== undefined && <span>{actor_name}</span>}
        <TruncatedId text={actor} />
      </span>
    ),
  },
  {
    title: 'Subject',
    cell: ({ subject, purpose, erased }) => (
      <span className="grid max-sm:justify-items-end">
        {erased && <span className="text-soft">Erased</span>}
        {!erased && (subject === undefined ? '–' : <TruncatedId text={subject} />)}
        {purpose !== undefined && <span className="text-xs text-soft">{purpose}</span>}
      </span>
    ),
  },
  { title: '#', cell: ({ seq }) => <span className="tabular text-soft">{seq}</span> },
  { title: 'Time', end: true, cell: ({ at }) => <Time at={at} form="exact" /> },
]

/** An id, truncated where the table is narrow. The tooltip and the clipboard have all of it. */
function TruncatedId({ text }: { text: string }) {
  return (
    <code title={text} className="text-xs text-soft max-sm:break-all sm:max-w-52 sm:truncate">
      {text}
    </code>
  )
}

function Details({ detail }: { detail: Record<string, unknown> }) {
  return (
    <details className="mt-1 text-xs">
      <summary className="w-fit cursor-pointer rounded-sm text-accent">Details</summary>
      <pre className="mt-1 max-w-72 overflow-x-auto whitespace-pre-wrap">
        {JSON.stringify(detail, undefined, 1)}
      </pre>
    </details>
  )
}
