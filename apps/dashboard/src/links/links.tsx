import { useState } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import type { VerificationLink } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { call } from '../api/call.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import { TemplateLink } from '../templates/template-name.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { LinkForm } from './link-form.tsx'
import { LinkStateBadge } from './state-badge.tsx'

/** The verification links of an environment, newest first. */
export function Links() {
  const text = useTexts().links
  const environment = useEnvironment()
  const canManage = usePermission('manage_links')
  const navigate = useNavigate()
  const [creating, setCreating] = useState(false)
  const columns = useColumns()
  const list = useInfiniteQuery({
    queryKey: ['listLinks', environment],
    queryFn: ({ pageParam, signal }) =>
      call('listLinks', { params: { environment }, query: { before: pageParam } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => next_before,
  })
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const create = canManage && (
    <Button
      variant="primary"
      icon={<Plus className="size-4" aria-hidden />}
      onClick={() => setCreating(true)}
    >
      {text.create}
    </Button>
  )
  return (
    <Page title={text.title} description={text.descriptions[environment]} actions={create}>
      {list.error !== null && <ErrorMessage error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <SkeletonRows rows={3} />}
      {list.data !== undefined && rows.length === 0 && (
        <EmptyState title={text.empty.title} action={create}>
          <p>{text.empty.what}</p>
        </EmptyState>
      )}
      {rows.length > 0 && (
        <div className="grid gap-5">
          <Table<VerificationLink>
            caption={text.caption}
            rows={rows}
            rowKey={({ id }) => id}
            columns={columns}
          />
          <LoadMore query={list} label={text.more} />
        </div>
      )}
      {creating && (
        <LinkForm
          link={undefined}
          onClose={() => setCreating(false)}
          onSaved={({ id }) => void navigate({ to: '/$environment/links/$id', params: { environment, id } })}
        />
      )}
    </Page>
  )
}

function useColumns(): Column<VerificationLink>[] {
  const { links: text, common } = useTexts()
  return [
    {
      title: common.name,
      rowHeader: true,
      cell: ({ id, name, environment }) => (
        <Link
          to="/$environment/links/$id"
          params={{ environment, id }}
          className="font-medium break-words text-accent underline-offset-4 hover:underline"
        >
          {name}
        </Link>
      ),
    },
    { title: common.template, cell: ({ template }) => <TemplateLink templateKey={template} /> },
    { title: text.kind, cell: ({ single_use }) => text.kinds[single_use ? 'single_use' : 'reusable'] },
    { title: text.state, cell: ({ state }) => <LinkStateBadge state={state} /> },
    {
      title: text.today,
      cell: ({ created_today, daily_limit }) =>
        fillIn(text.today_of, { created: created_today, limit: daily_limit }),
    },
    {
      title: common.created,
      cell: ({ created_at }) => (
        <span className="whitespace-nowrap">
          <Time at={created_at} form="day" />
        </span>
      ),
    },
  ]
}
