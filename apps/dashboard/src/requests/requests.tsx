import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { call, type OperationInput } from '../api/call.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { Sentence } from '../texts/sentence.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table } from '../ui/table.tsx'
import { endOfDay, startOfDay } from '../ui/day-range.ts'
import { RequestFilters } from './request-filters.tsx'
import { useRequestColumns } from './request-columns.tsx'

type Query = NonNullable<OperationInput<'listRequests'>['query']>
const refetchInterval_ms = 5000

/** The API requests of the last days. The filters are in the address, so that a link can lead to one request. */
export function Requests() {
  const text = useTexts().requests
  const formats = useFormats()
  const environment = useEnvironment()
  const search = useSearch({ from: '/shell/$environment/requests' })
  const { from, to, caller, ...rest } = search
  const query: Query = {
    ...rest,
    status: rest.status as Query['status'],
    ...(caller?.startsWith('key:') === true && { key_id: caller.slice('key:'.length) }),
    ...(caller?.startsWith('device:') === true && { device_id: caller.slice('device:'.length) }),
    from: startOfDay(from),
    to: endOfDay(to),
  }
  const log = useInfiniteQuery({
    queryKey: ['listRequests', environment, search],
    queryFn: ({ pageParam, signal }) =>
      call('listRequests', { params: { environment }, query: { ...query, before: pageParam } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => next_before,
    // A request is written after its response, and no event announces it.
    refetchInterval: ({ state }) => (state.data?.pages.length ?? 0) <= 1 && refetchInterval_ms,
  })
  const columns = useRequestColumns()
  const pages = log.data?.pages ?? []
  const rows = pages.flatMap(({ data }) => data)
  const omitted = pages.reduce((sum, page) => sum + page.omitted, 0)
  const recording = pages[0]?.recording
  const filtered = Object.keys(search).length > 0
  return (
    <Page title={text.title} description={text.description}>
      <div className="grid gap-5">
        <RequestFilters />
        {recording === 'off' && (
          <Notice>
            <Sentence
              text={text.off}
              values={{
                settings: (
                  <Link
                    to="/$environment/settings/request-log"
                    params={{ environment }}
                    className="font-medium underline underline-offset-4"
                  >
                    {text.settings}
                  </Link>
                ),
              }}
            />
          </Notice>
        )}
        {recording === 'unavailable' && <Notice>{text.unavailable}</Notice>}
        {search.verification_id !== undefined && <AboutVerification id={search.verification_id} />}
        {omitted > 0 && <Notice>{formats.count(text.omitted, omitted)}</Notice>}
        {log.error !== null && <ErrorMessage error={log.error} retry={() => void log.refetch()} />}
        {log.isPending && <SkeletonRows rows={8} />}
        {log.isSuccess && rows.length === 0 && !filtered && recording === 'on' && (
          <EmptyState title={text.empty_title}>
            <p>{text.empty}</p>
          </EmptyState>
        )}
        {log.isSuccess && rows.length === 0 && filtered && (
          <p className="py-8 text-center text-soft">{text.no_match}</p>
        )}
        {rows.length > 0 && (
          <Table caption={text.caption} rows={rows} rowKey={({ id }) => id} columns={columns} />
        )}
        <LoadMore query={log} label={text.load_older} />
      </div>
    </Page>
  )
}

function Notice({ children }: { children: React.ReactNode }) {
  return <p className="rounded-md bg-wait-tint px-4 py-3 text-sm text-wait">{children}</p>
}

function AboutVerification({ id }: { id: string }) {
  const text = useTexts().requests
  const environment = useEnvironment()
  const link = (
    <Link
      to="/$environment/verifications/$id"
      params={{ environment, id }}
      className="font-mono text-xs text-accent underline-offset-4 hover:underline"
    >
      {id.slice(0, 16)}…
    </Link>
  )
  return (
    <p className="text-sm">
      <Sentence text={text.about_verification} values={{ verification: link }} />{' '}
      <Link to="/$environment/requests" params={{ environment }} className="text-accent underline">
        {text.show_all}
      </Link>
    </p>
  )
}
