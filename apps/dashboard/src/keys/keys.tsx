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
import { LastTime, Time } from '../ui/time.tsx'
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
      description={`Your systems use these keys to call the ${environment} environment. A key is shown once, when you create it; only its hash is stored.`}
      actions={create}
    >
      {keys.error !== null && <ErrorMessage error={keys.error} retry={() => void keys.refetch()} />}
      {keys.isPending && <SkeletonRows rows={3} />}
      {keys.data?.data.length === 0 && (
        <EmptyState title="No API keys yet" action={create}>
          <p>
            A key lets your server create verifications and read their results. Create one per system, with
            only the scopes it needs, so that you can revoke each separately.
          </p>
          <p>Never put a key in an app or a web page: anyone who has it can act as you.</p>
        </EmptyState>
      )}
      {keys.data !== undefined && keys.data.data.length > 0 && (
        <Table
          caption={`API keys in the ${environment} environment`}
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
      cell: ({ last_used_at }) => <LastTime at={last_used_at} />,
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
  if (expires_at === undefined) return <span className="text-soft">Never</span>
  return expired ? <Badge tone="wait">Expired</Badge> : <Time at={expires_at} form="day" />
}
