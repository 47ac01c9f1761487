import { useState } from 'react'
import { Plus } from 'lucide-react'
import type { Key } from '@vidimus/contract'
import { useOperationQuery } from '../api/queries.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { CreateKey } from './create-key.tsx'
import { RevokeKey } from './revoke-key.tsx'

export function Keys() {
  const environment = useEnvironment()
  const canManage = usePermission('manage_keys')
  const keys = useOperationQuery('listKeys', { params: { environment } })
  const [creating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<Key>()
  const create = canManage && (
    <Button
      variant="primary"
      icon={<Plus className="size-4" aria-hidden />}
      onClick={() => setCreating(true)}
    >
      Create key
    </Button>
  )
  return (
    <Page
      title="API keys"
      description={`Your own systems call the ${environment} environment with these. A key is shown once, when it is made; only its hash is kept.`}
      actions={create}
    >
      {keys.error !== null && <ErrorMessage error={keys.error} retry={() => void keys.refetch()} />}
      {keys.isPending && <SkeletonRows rows={3} />}
      {keys.data?.data.length === 0 && (
        <EmptyState title="No key yet" action={create}>
          <p>
            A key lets a server create verifications and read their results. Make one for each system, with
            the scopes it needs, so that one can be ended without the others.
          </p>
          <p>Never put a key into an app or a page: whoever has it can act as you.</p>
        </EmptyState>
      )}
      {keys.data !== undefined && keys.data.data.length > 0 && (
        <Table
          caption={`API keys of the ${environment} environment`}
          rows={keys.data.data}
          rowKey={({ id }) => id}
          columns={columns(canManage, setRevoking)}
        />
      )}
      <CreateKey open={creating} onClose={() => setCreating(false)} />
      {revoking !== undefined && <RevokeKey target={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  )
}

function columns(canManage: boolean, revoke: (key: Key) => void): Column<Key>[] {
  return [
    {
      title: 'Name',
      rowHeader: true,
      cell: (key) => (
        <div className="min-w-0">
          <span className="font-medium">{key.name}</span>
          <code className="block text-xs text-soft">{key.prefix}…</code>
        </div>
      ),
    },
    {
      title: 'Scopes',
      cell: ({ scopes }) => (
        <span className="flex flex-wrap gap-1 max-sm:justify-end">
          {scopes.map((scope) => (
            <Badge key={scope} tone={scope === 'verifications:delete' ? 'bad' : 'plain'}>
              {scope}
            </Badge>
          ))}
        </span>
      ),
    },
    {
      title: 'Last used',
      cell: ({ last_used_at }) =>
        last_used_at === undefined ? (
          <span className="text-soft">never</span>
        ) : (
          <Time at={last_used_at} form="relative" />
        ),
    },
    { title: 'Expires', cell: (key) => <Expiry {...key} /> },
    {
      title: '',
      end: true,
      cell: (key) =>
        canManage &&
        key.revoked_at === undefined &&
        !key.expired && (
          <Button size="small" onClick={() => revoke(key)} aria-label={`Revoke ${key.name}`}>
            Revoke
          </Button>
        ),
    },
  ]
}

function Expiry({ revoked_at, expires_at, expired }: Key) {
  if (revoked_at !== undefined) return <Badge tone="bad">Revoked</Badge>
  if (expires_at === undefined) return <span className="text-soft">never</span>
  return expired ? <Badge tone="wait">Expired</Badge> : <Time at={expires_at} form="day" />
}
