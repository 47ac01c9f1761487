import { useState } from 'react'
import { Plus } from 'lucide-react'
import type { Key } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationQuery } from '../api/queries.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import type { Texts } from '../texts/languages.ts'
import { useTexts } from '../texts/texts-context.ts'
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
  const texts = useTexts()
  const text = texts.keys
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
      {text.create}
    </Button>
  )
  return (
    <Page title={text.title} description={text.descriptions[environment]} actions={create}>
      {keys.error !== null && <ErrorMessage error={keys.error} retry={() => void keys.refetch()} />}
      {keys.isPending && <SkeletonRows rows={3} />}
      {keys.data?.data.length === 0 && (
        <EmptyState title={text.empty.title} action={create}>
          <p>{text.empty.what}</p>
          <p>{text.empty.secrecy}</p>
        </EmptyState>
      )}
      {keys.data !== undefined && keys.data.data.length > 0 && (
        <Table
          caption={text.captions[environment]}
          rows={keys.data.data}
          rowKey={({ id }) => id}
          columns={columns(canManage, setRevoking, texts)}
        />
      )}
      <CreateKey open={creating} onClose={() => setCreating(false)} />
      {revoking !== undefined && <RevokeKey target={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  )
}

function columns(
  canManage: boolean,
  revoke: (key: Key) => void,
  { keys: text, common }: Texts,
): Column<Key>[] {
  return [
    {
      title: common.name,
      rowHeader: true,
      cell: (key) => (
        <div className="min-w-0">
          <span className="font-medium">{key.name}</span>
          <code className="block text-xs text-soft">{key.prefix}…</code>
        </div>
      ),
    },
    {
      title: text.scopes,
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
      title: text.last_used,
      cell: ({ last_used_at }) => <LastTime at={last_used_at} />,
    },
    { title: text.expires, cell: (key) => <Expiry {...key} /> },
    {
      title: '',
      end: true,
      cell: (key) =>
        canManage &&
        key.revoked_at === undefined &&
        !key.expired && (
          <Button
            size="small"
            onClick={() => revoke(key)}
            aria-label={fillIn(text.revoke.label, { name: key.name })}
          >
            {text.revoke.button}
          </Button>
        ),
    },
  ]
}

function Expiry({ revoked_at, expires_at, expired }: Key) {
  const text = useTexts().keys
  if (revoked_at !== undefined) return <Badge tone="bad">{text.revoked}</Badge>
  if (expires_at === undefined) return <span className="text-soft">{text.never_expires}</span>
  return expired ? <Badge tone="wait">{text.expired}</Badge> : <Time at={expires_at} form="day" />
}
