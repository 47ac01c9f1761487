import { useState } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ErasureRequest } from '@vidimus/contract'
import { call } from '../api/call.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { Page } from '../ui/page.tsx'
import { Segments } from '../ui/segments.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'

const views = ['waiting', 'refused'] as const
type View = (typeof views)[number]
type Answering = { answer: 'erase' | 'refuse'; id: string }

/** What holders ask to be erased, where the merchant decides. */
export function Erasures() {
  const text = useTexts().erasures
  const environment = useEnvironment()
  const canAnswer = usePermission('erase_verifications')
  const { state: view = 'waiting' } = useSearch({ from: '/shell/$environment/erasure-requests' })
  const navigate = useNavigate()
  const [answering, setAnswering] = useState<Answering>()
  const columns = useColumns(view, canAnswer ? setAnswering : undefined)
  const list = useInfiniteQuery({
    queryKey: ['listErasureRequests', environment, view],
    queryFn: ({ pageParam, signal }) =>
      call(
        'listErasureRequests',
        { params: { environment }, query: { state: view, after: pageParam } },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_after }) => next_after,
  })
  const rows = list.data?.pages.flatMap(({ data }) => data)
  return (
    <Page title={text.title} description={text.descriptions[environment]}>
      <div className="grid gap-5">
        <Segments
          label={text.view}
          value={view}
          options={views.map((value) => ({ value, label: text.views[value] }))}
          onChange={(value) =>
            void navigate({ to: '.', search: value === 'refused' ? { state: value } : {} })
          }
        />
        {list.error !== null && <ErrorMessage error={list.error} retry={() => void list.refetch()} />}
        {list.isPending && <SkeletonRows rows={3} />}
        {rows?.length === 0 && (
          <EmptyState title={text.empty.title}>
            <p>{text.empty[view]}</p>
          </EmptyState>
        )}
        {rows !== undefined && rows.length > 0 && (
          <>
            <Table<ErasureRequest>
              caption={text.caption}
              rows={rows}
              rowKey={({ verification_id }) => verification_id}
              columns={columns}
            />
            <LoadMore query={list} label={text.more} />
          </>
        )}
      </div>
      {answering !== undefined && <Answer {...answering} onClose={() => setAnswering(undefined)} />}
    </Page>
  )
}

function useColumns(
  view: View,
  onAnswer: ((answering: Answering) => void) | undefined,
): Column<ErasureRequest>[] {
  const text = useTexts().erasures
  const environment = useEnvironment()
  return [
    {
      title: text.verification,
      rowHeader: true,
      cell: ({ verification_id: id }) => (
        <Link
          to="/$environment/verifications/$id"
          params={{ environment, id }}
          className="font-mono text-sm break-all text-accent underline-offset-4 hover:underline"
        >
          {id}
        </Link>
      ),
    },
    { title: text.requested, cell: ({ requested_at }) => <Time at={requested_at} form="day" /> },
    view === 'refused'
      ? {
          title: text.refused,
          cell: ({ refused_at }) => refused_at !== undefined && <Time at={refused_at} form="day" />,
        }
      : {
          title: text.due,
          cell: ({ due_at, overdue }) => (
            <span className="inline-flex flex-wrap items-center gap-2">
              <Time at={due_at} form="day" />
              {overdue && <Badge tone="bad">{text.overdue}</Badge>}
            </span>
          ),
        },
    ...(onAnswer === undefined
      ? []
      : [
          {
            title: '',
            end: true as const,
            cell: ({ verification_id: id }: ErasureRequest) => (
              <span className="flex flex-wrap gap-2">
                <Button size="small" onClick={() => onAnswer({ answer: 'erase', id })}>
                  {text.erase.button}
                </Button>
                {view === 'waiting' && (
                  <Button size="small" onClick={() => onAnswer({ answer: 'refuse', id })}>
                    {text.refuse.button}
                  </Button>
                )}
              </span>
            ),
          },
        ]),
  ]
}

function Answer({ answer, id, onClose }: Answering & { onClose: () => void }) {
  const text = useTexts().erasures[answer]
  const environment = useEnvironment()
  const input = { params: { environment, id } }
  const shared = {
    input,
    title: text.title,
    description: text.description,
    submit: text.submit,
    successMessage: text.done,
    onClose,
  }
  return answer === 'erase' ? (
    <ChangeDialog
      {...shared}
      op="eraseVerification"
      variant="danger"
      invalidates={['listErasureRequests', 'listVerifications', 'getOverview', 'listDeliveries']}
    >
      <code className="text-sm break-all">{id}</code>
    </ChangeDialog>
  ) : (
    <ChangeDialog {...shared} op="refuseErasureRequest" invalidates={['listErasureRequests']}>
      <code className="text-sm break-all">{id}</code>
    </ChangeDialog>
  )
}
