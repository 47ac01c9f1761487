import { useState, type ReactNode } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import type { Environment, VerificationSummary } from '@vidimus/contract'
import { call, type OperationInput } from '../api/call.ts'
import { useOperationQuery } from '../api/queries.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { SelectField } from '../ui/field.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { CreateTestVerification } from './create-test-verification.tsx'
import { StatusBadge } from './status-badge.tsx'
import { failureCodes, failureLabel, statusLabels } from './labels.ts'

type Query = NonNullable<OperationInput<'listVerifications'>['query']>

/** The list of verifications. It is refetched when the service reports a change. */
export function Verifications() {
  const environment = useEnvironment()
  const filter = useSearch({ from: '/shell/$environment/verifications' })
  const canCreate = usePermission('create_verifications') && environment === 'test'
  const [creating, setCreating] = useState(false)
  const list = useInfiniteQuery({
    queryKey: ['listVerifications', environment, filter],
    queryFn: ({ pageParam, signal }) => {
      const query: Query = { ...filter, status: filter.status as Query['status'], before: pageParam }
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
      New test verification
    </Button>
  )
  return (
    <Page
      title="Verifications"
      description="All verifications and their results. Updates live."
      actions={create}
    >
      <div className="grid gap-5">
        <Filters />
        {list.error !== null && <ErrorMessage error={list.error} retry={() => void list.refetch()} />}
        {list.isPending && <SkeletonRows rows={8} />}
        {list.isSuccess && rows.length === 0 && !filtered && (
          <NoVerifications environment={environment} create={create} />
        )}
        {list.isSuccess && rows.length === 0 && filtered && (
          <p className="py-8 text-center text-soft">No verifications match.</p>
        )}
        {rows.length > 0 && (
          <Table
            caption="Verifications, newest first"
            rows={rows}
            rowKey={({ id }) => id}
            columns={columns}
          />
        )}
        <LoadMore query={list} label="Load older verifications" />
      </div>
      {creating && <CreateTestVerification onClose={() => setCreating(false)} />}
    </Page>
  )
}

function Filters() {
  const filter = useSearch({ from: '/shell/$environment/verifications' })
  const templates = useOperationQuery('listTemplates', {})
  const navigate = useNavigate()
  const set = (name: keyof typeof filter, value: string) => {
    const { [name]: _, ...others } = filter
    void navigate({ to: '.', search: value === '' ? others : { ...others, [name]: value }, replace: true })
  }
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <SelectField
        label="Status"
        value={filter.status ?? ''}
        onChange={({ target }) => set('status', target.value)}
      >
        <option value="">All</option>
        {Object.entries(statusLabels).map(([status, [, label]]) => (
          <option key={status} value={status}>
            {label}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Template"
        value={filter.template ?? ''}
        onChange={({ target }) => set('template', target.value)}
      >
        <option value="">All</option>
        {templates.data?.data.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Failure reason"
        value={filter.error_code ?? ''}
        onChange={({ target }) => set('error_code', target.value)}
      >
        <option value="">All</option>
        {failureCodes.map((code) => (
          <option key={code} value={code}>
            {failureLabel(code)}
          </option>
        ))}
      </SelectField>
    </div>
  )
}

function NoVerifications({ environment, create }: { environment: Environment; create: ReactNode }) {
  return (
    <EmptyState title="No verifications yet" action={create}>
      <p>
        A verification is one request to one wallet. Your server creates it with{' '}
        <code>POST /v1/verifications</code>, shows the QR code, and gets the result by webhook or from the
        API.
      </p>
      {environment === 'test' ? (
        <p>To see one now, create a test verification and let a sandbox persona respond.</p>
      ) : (
        <p>
          <Link to="/$environment/keys" params={{ environment }} className="text-accent underline">
            Create a live key
          </Link>{' '}
          to start.
        </p>
      )}
    </EmptyState>
  )
}

const columns: readonly Column<VerificationSummary>[] = [
  {
    title: 'Verification',
    rowHeader: true,
    cell: ({ id }) => (
      <Link
        to="/$environment/verifications/$id"
        from="/$environment/verifications"
        params={{ id }}
        className="font-mono text-xs text-accent underline-offset-4 hover:underline"
      >
        {id.slice(0, 16)}…
      </Link>
    ),
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: 'Template',
    cell: ({ template, error_code }) => (
      <span className="grid max-sm:justify-items-end">
        <span>{template ?? <span className="text-soft">Custom query</span>}</span>
        {error_code !== undefined && <span className="text-xs text-soft">{failureLabel(error_code)}</span>}
      </span>
    ),
  },
  {
    title: 'Response time',
    cell: ({ created_at, responded_at }) => (
      <span className="tabular">
        {responded_at === undefined
          ? '–'
          : `${((Date.parse(responded_at) - Date.parse(created_at)) / 1000).toFixed(1)} s`}
      </span>
    ),
  },
  { title: 'Created', end: true, cell: ({ created_at }) => <Time at={created_at} form="exact" /> },
]
