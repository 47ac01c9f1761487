import { useState, type ReactNode } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import type { Environment, VerificationSummary } from '@vidimus/contract'
import { call } from '../api/call.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import { Sentence } from '../texts/sentence.tsx'
import type { Texts } from '../texts/languages.ts'
import type { Formats } from '../texts/formats.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { TemplateLink } from '../templates/template-name.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { CreateTestVerification } from './create-test-verification.tsx'
import { StatusBadge } from './status-badge.tsx'
import { failureLabel } from './labels.ts'
import { useVerificationQuery, VerificationDownloads, VerificationFilters } from './verification-filters.tsx'

/** The list of verifications. It is refetched when the service reports a change. */
export function Verifications() {
  const texts = useTexts()
  const formats = useFormats()
  const text = texts.verifications
  const environment = useEnvironment()
  const filter = useSearch({ from: '/shell/$environment/verifications' })
  const filterQuery = useVerificationQuery()
  const canCreate = usePermission('create_verifications') && environment === 'test'
  const [creating, setCreating] = useState(false)
  const list = useInfiniteQuery({
    queryKey: ['listVerifications', environment, filter],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filterQuery, before: pageParam ?? filterQuery.before }
      return call('listVerifications', { params: { environment }, query }, signal)
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => next_before,
  })
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const filtered = Object.keys(filter).length > 0
  const create = canCreate && (
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
      <div className="grid gap-5">
        <VerificationFilters />
        <VerificationDownloads />
        {list.error !== null && <ErrorMessage error={list.error} retry={() => void list.refetch()} />}
        {list.isPending && <SkeletonRows rows={8} />}
        {list.isSuccess && rows.length === 0 && !filtered && (
          <NoVerifications environment={environment} create={create} />
        )}
        {list.isSuccess && rows.length === 0 && filtered && (
          <p className="py-8 text-center text-soft">{text.no_match}</p>
        )}
        {rows.length > 0 && (
          <Table
            caption={text.caption}
            rows={rows}
            rowKey={({ id }) => id}
            columns={columns(texts, formats, filter)}
          />
        )}
        <LoadMore query={list} label={text.load_older} />
      </div>
      {creating && <CreateTestVerification onClose={() => setCreating(false)} />}
    </Page>
  )
}

function NoVerifications({ environment, create }: { environment: Environment; create: ReactNode }) {
  const text = useTexts().verifications.empty
  return (
    <EmptyState title={text.title} action={create}>
      <p>
        <Sentence text={text.what} values={{ call: <code>POST /v1/verifications</code> }} />
      </p>
      {environment === 'test' ? (
        <p>{text.test}</p>
      ) : (
        <p>
          <Sentence
            text={text.live}
            values={{
              link: (
                <Link to="/$environment/keys" params={{ environment }} className="text-accent underline">
                  {text.live_key}
                </Link>
              ),
            }}
          />
        </p>
      )}
    </EmptyState>
  )
}

function columns(
  { verifications: text, common }: Texts,
  formats: Formats,
  filter: Record<string, string>,
): Column<VerificationSummary>[] {
  return [
    {
      title: text.column,
      rowHeader: true,
      cell: ({ id }) => (
        <Link
          to="/$environment/verifications/$id"
          from="/$environment/verifications"
          params={{ id }}
          search={filter}
          className="font-mono text-xs text-accent underline-offset-4 hover:underline"
        >
          {id.slice(0, 16)}…
        </Link>
      ),
    },
    { title: common.status, cell: ({ status }) => <StatusBadge status={status} /> },
    {
      title: common.template,
      cell: ({ template, error_code }) => (
        <span className="grid max-sm:justify-items-end">
          {template === undefined ? (
            <span className="text-soft">{text.custom_query}</span>
          ) : (
            <TemplateLink templateKey={template} />
          )}
          {error_code !== undefined && (
            <span className="text-xs text-soft">{failureLabel(error_code, text)}</span>
          )}
        </span>
      ),
    },
    {
      title: text.response_time,
      cell: ({ created_at, responded_at }) => (
        <span className="tabular">
          {responded_at === undefined
            ? '–'
            : formats.seconds((Date.parse(responded_at) - Date.parse(created_at)) / 1000)}
        </span>
      ),
    },
    { title: common.created, end: true, cell: ({ created_at }) => <Time at={created_at} form="exact" /> },
  ]
}
