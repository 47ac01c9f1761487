import { useInfiniteQuery } from '@tanstack/react-query'
import type { ServiceAnchors as ServiceAnchorPage } from '@vidimus/contract'
import { call } from '../api/call.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import type { Texts } from '../texts/languages.ts'
import { useTexts } from '../texts/texts-context.ts'
import { Badge } from '../ui/badge.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { Card } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { AnchorSubject } from './anchor-subject.tsx'

type ServiceAnchor = ServiceAnchorPage['data'][number]

/** Whom the service trusts in this environment: what for, who operates it, and where it comes from. */
export function ServiceAnchors() {
  const texts = useTexts()
  const text = texts.settings.service_anchors
  const environment = useEnvironment()
  const list = useInfiniteQuery({
    queryKey: ['listServiceAnchors', environment],
    queryFn: ({ pageParam, signal }) =>
      call('listServiceAnchors', { params: { environment }, query: { after: pageParam } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_after }) => next_after,
  })
  const anchors = list.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Card title={text.title} description={text.descriptions[environment]}>
      <div className="grid gap-4">
        {list.error !== null && <ErrorMessage error={list.error} retry={() => void list.refetch()} />}
        {list.isPending && <Skeleton className="h-5 w-48" />}
        {list.isSuccess && anchors.length === 0 && <p className="text-sm text-soft">{text.none}</p>}
        {anchors.length > 0 && (
          <Table
            caption={text.title}
            rows={anchors}
            rowKey={({ source, fingerprint, role }) => `${source} ${fingerprint} ${role}`}
            columns={columns(texts)}
          />
        )}
        {list.hasNextPage && <LoadMore query={list} label={text.load_more} />}
      </div>
    </Card>
  )
}

function columns({ settings }: Texts): Column<ServiceAnchor>[] {
  const { anchors: text, service_anchors: serviceText } = settings
  const sources: Record<string, string | undefined> = serviceText.sources
  return [
    {
      title: text.authority,
      rowHeader: true,
      cell: (anchor) => <AnchorSubject anchor={anchor} />,
    },
    {
      title: text.role,
      cell: ({ role }) => <span className="sm:whitespace-nowrap">{text.roles[role].name}</span>,
    },
    {
      title: serviceText.source,
      cell: ({ source, expired }) => (
        <span className="grid justify-items-start gap-1 max-sm:justify-items-end">
          {sources[source] === undefined ? (
            <code className="text-xs break-all">{source}</code>
          ) : (
            <span className="sm:whitespace-nowrap">{sources[source]}</span>
          )}
          {expired && <Badge tone="bad">{serviceText.expired}</Badge>}
        </span>
      ),
    },
    { title: settings.expires, end: true, cell: ({ expires_at }) => <Time at={expires_at} form="day" /> },
  ]
}
