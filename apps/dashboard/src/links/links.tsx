import { useState } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { VerificationLink } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { call } from '../api/call.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import { TemplateLink } from '../templates/template-name.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { LoadMore } from '../ui/load-more.tsx'
import { ListPage } from '../ui/list-page.tsx'
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
  const rows = list.data?.pages.flatMap(({ data }) => data)
  return (
    <ListPage
      text={text}
      environment={environment}
      query={list}
      rows={rows}
      onCreate={canManage ? () => setCreating(true) : undefined}
      purpose={<p>{text.empty.what}</p>}
      list={
        <div className="grid gap-5">
          <Table<VerificationLink>
            caption={text.caption}
            rows={rows ?? []}
            rowKey={({ id }) => id}
            columns={columns}
          />
          <LoadMore query={list} label={text.more} />
        </div>
      }
    >
      {creating && (
        <LinkForm
          link={undefined}
          onClose={() => setCreating(false)}
          onSaved={({ id }) => void navigate({ to: '/$environment/links/$id', params: { environment, id } })}
        />
      )}
    </ListPage>
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
