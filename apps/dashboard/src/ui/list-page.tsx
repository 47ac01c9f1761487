import type { ReactNode } from 'react'
import { Plus } from 'lucide-react'
import type { Environment } from '@vidimus/contract'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { ErrorMessage } from './error-message.tsx'
import { Page } from './page.tsx'
import { SkeletonRows } from './skeleton.tsx'

type ListPageProps = {
  text: { title: string; descriptions: Record<Environment, string>; create: string; empty: { title: string } }
  environment: Environment
  query: { error: Error | null; isPending: boolean; refetch: () => unknown }
  /** Undefined while they are loaded. */
  rows: readonly unknown[] | undefined
  /** Undefined if the member may not create any. */
  onCreate: (() => void) | undefined
  /** What an empty list is for. */
  purpose: ReactNode
  /** Shown once there are rows. */
  list: ReactNode
  note?: ReactNode
  /** The dialogs. */
  children: ReactNode
}

/** The page of a list in an environment, with a button that creates another row: what it is for as long as it is empty, then the list. */
export function ListPage({
  text,
  environment,
  query,
  rows,
  onCreate,
  purpose,
  list,
  note,
  children,
}: ListPageProps) {
  const create = onCreate !== undefined && (
    <Button variant="primary" icon={<Plus className="size-4" aria-hidden />} onClick={onCreate}>
      {text.create}
    </Button>
  )
  return (
    <Page title={text.title} description={text.descriptions[environment]} actions={create}>
      {note}
      {query.error !== null && <ErrorMessage error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <SkeletonRows rows={3} />}
      {rows?.length === 0 && (
        <EmptyState title={text.empty.title} action={create}>
          {purpose}
        </EmptyState>
      )}
      {rows !== undefined && rows.length > 0 && list}
      {children}
    </Page>
  )
}
