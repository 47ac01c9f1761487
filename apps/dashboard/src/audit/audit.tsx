import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import type { AuditEntry, AuditList } from '@vidimus/contract'
import { operationUrl, call } from '../api/call.ts'
import { usePermission } from '../shell/shell-context.ts'
import type { Texts } from '../texts/languages.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { buttonClasses } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { NotForRole } from '../ui/not-for-role.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { AuditFilters, useAuditQuery } from './audit-filters.tsx'
import { CheckChain } from './check-chain.tsx'
import { actionLabel } from './action-labels.ts'

/** While entries wait to be added to the chain, the page polls. */
const refetchInterval_ms = 1000

export function Audit() {
  const text = useTexts().audit
  if (usePermission('read_audit')) return <AuditLog />
  return (
    <Page title={text.title} description={text.description}>
      <NotForRole permission="read_audit" />
    </Page>
  )
}

function AuditLog() {
  const text = useTexts().audit
  const { download } = useTexts().filters
  const formats = useFormats()
  const filter = useAuditQuery()
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
  const filtered = Object.values(filter).some((value) => value !== undefined)
  return (
    <Page
      title={text.title}
      description={text.description}
      actions={
        <div className="flex flex-wrap gap-2">
          <a
            href={operationUrl('exportAuditCsv', { query: filter })}
            download="audit.csv"
            className={buttonClasses()}
          >
            <Download className="size-4" aria-hidden /> {download}
          </a>
          <a href={operationUrl('exportAudit', {})} download="audit.jsonl" className={buttonClasses()}>
            <Download className="size-4" aria-hidden /> {text.export}
          </a>
        </div>
      }
    >
      <div className="grid gap-6">
        <CheckChain />
        <AuditFilters />
        {waiting > 0 && <p className="text-sm text-soft">{formats.count(text.waiting, waiting)}</p>}
        {log.error !== null && <ErrorMessage error={log.error} retry={() => void log.refetch()} />}
        {log.isPending && <SkeletonRows rows={8} />}
        {log.isSuccess && rows.length === 0 && !filtered && (
          <EmptyState title={text.empty_title}>
            <p>{text.empty_text}</p>
          </EmptyState>
        )}
        {log.isSuccess && rows.length === 0 && filtered && (
          <p className="py-8 text-center text-soft">{text.no_match}</p>
        )}
        {rows.length > 0 && (
          <Table
            caption={text.caption}
            rows={rows}
            rowKey={({ seq }) => String(seq)}
            columns={columns(text)}
          />
        )}
        <LoadMore query={log} label={text.load_older} />
      </div>
    </Page>
  )
}

const countWaiting = (log: { pages: AuditList[] } | undefined): number => log?.pages[0]?.waiting ?? 0

function columns(text: Texts['audit']): Column<AuditEntry>[] {
  return [
    {
      title: text.action,
      rowHeader: true,
      cell: ({ action, detail }) => (
        <div>
          <span className="font-medium">{actionLabel(action, text.actions)}</span>
          <span className="block font-mono text-xs whitespace-nowrap text-soft">{action}</span>
          {detail !== undefined && Object.keys(detail).length > 0 && <Details detail={detail} />}
        </div>
      ),
    },
    {
      title: text.actor,
      cell: ({ actor, actor_name, client }) => (
        <NamedId
          id={actor}
          name={actor_name ?? kindOf(actor, text.kinds)}
          client={actor === `client:${client?.id}` ? client : undefined}
        />
      ),
    },
    {
      title: text.subject,
      cell: ({ subject, subject_name, client, purpose, erased }) => (
        <span className="grid max-sm:justify-items-end">
          {erased && <span className="text-soft">{text.erased}</span>}
          {!erased && subject === undefined && '–'}
          {!erased && subject !== undefined && (
            <NamedId id={subject} name={subject_name} client={subject === client?.id ? client : undefined} />
          )}
          {purpose !== undefined && <span className="text-xs text-soft">{purpose}</span>}
        </span>
      ),
    },
    { title: text.number, cell: ({ seq }) => <span className="tabular text-soft">{seq}</span> },
    { title: text.time, end: true, cell: ({ at }) => <Time at={at} form="exact" /> },
  ]
}

/** The operator and wallets have no id; others without a name keep theirs. */
function kindOf(actor: string, kinds: Texts['audit']['kinds']): string | undefined {
  return actor === 'operator' || actor === 'wallet' ? kinds[actor] : undefined
}

type NamedIdProps = { id: string; name: string | undefined; client: AuditEntry['client'] }

/** The name of an OpenID client leads to it, in its own environment. */
function NamedId({ id, name, client }: NamedIdProps) {
  return (
    <span className="grid max-sm:justify-items-end">
      {name !== undefined && client === undefined && <span>{name}</span>}
      {name !== undefined && client !== undefined && (
        <Link
          to="/$environment/openid-clients"
          params={{ environment: client.environment }}
          search={{ client: client.id }}
          className="w-fit text-accent underline-offset-4 hover:underline"
        >
          {name}
        </Link>
      )}
      <TruncatedId text={id} />
    </span>
  )
}

/** An id, truncated where the table is narrow. The tooltip and the clipboard have all of it. */
function TruncatedId({ text }: { text: string }) {
  return (
    <code title={text} className="text-xs text-soft max-sm:break-all sm:max-w-52 sm:truncate">
      {text}
    </code>
  )
}

function Details({ detail }: { detail: Record<string, unknown> }) {
  const text = useTexts().audit
  return (
    <details className="mt-1 text-xs">
      <summary className="w-fit cursor-pointer rounded-sm text-accent">{text.details}</summary>
      <pre className="mt-1 max-w-72 overflow-x-auto whitespace-pre-wrap">
        {JSON.stringify(detail, undefined, 1)}
      </pre>
    </details>
  )
}
