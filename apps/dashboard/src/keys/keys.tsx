import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import type { Key, Team } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationQuery } from '../api/queries.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import type { Texts } from '../texts/languages.ts'
import { useTexts } from '../texts/texts-context.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ListPage } from '../ui/list-page.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { LastTime, Time } from '../ui/time.tsx'
import { CreateKey } from './create-key.tsx'
import { RevokeKey } from './revoke-key.tsx'
import { RollKey } from './roll-key.tsx'

export function Keys() {
  const texts = useTexts()
  const text = texts.keys
  const environment = useEnvironment()
  const canManage = usePermission('manage_keys')
  const keys = useOperationQuery('listKeys', { params: { environment } })
  const [creating, setCreating] = useState(false)
  const team = useOperationQuery('listTeam', {})
  const [action, setAction] = useState<KeyAction>()
  const closeAction = () => setAction(undefined)
  const rows = keys.data?.data
  return (
    <ListPage
      text={text}
      environment={environment}
      query={keys}
      rows={rows}
      onCreate={canManage ? () => setCreating(true) : undefined}
      purpose={
        <>
          <p>{text.empty.what}</p>
          <p>{text.empty.secrecy}</p>
        </>
      }
      list={
        <Table
          caption={text.captions[environment]}
          rows={rows ?? []}
          rowKey={({ id }) => id}
          columns={columns({ canManage, act: setAction, members: team.data?.members ?? [], texts })}
        />
      }
    >
      <CreateKey open={creating} onClose={() => setCreating(false)} />
      {action?.kind === 'roll' && <RollKey target={action.target} onClose={closeAction} />}
      {action?.kind === 'revoke' && <RevokeKey target={action.target} onClose={closeAction} />}
    </ListPage>
  )
}

type KeyAction = { kind: 'roll' | 'revoke'; target: Key }

type ColumnOptions = {
  canManage: boolean
  act: (action: KeyAction) => void
  members: Team['members']
  texts: Texts
}

function columns({ canManage, act, members, texts }: ColumnOptions): Column<Key>[] {
  const { keys: text, common } = texts
  return [
    {
      title: common.name,
      rowHeader: true,
      cell: (key) => (
        <div className="min-w-0">
          <span className="font-medium">{key.name}</span>
          <code className="block text-xs whitespace-nowrap text-soft">{key.prefix}…</code>
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
    { title: common.created, cell: (key) => <Creation target={key} members={members} /> },
    {
      title: text.last_used,
      cell: (key) => <LastUse target={key} />,
    },
    { title: text.expires, cell: (key) => <Expiry {...key} /> },
    {
      title: '',
      end: true,
      cell: (key) =>
        canManage &&
        key.revoked_at === undefined &&
        !key.expired && (
          <span className="flex justify-end gap-2">
            {key.replaced_by === undefined && (
              <Button
                size="small"
                onClick={() => act({ kind: 'roll', target: key })}
                aria-label={fillIn(texts.editing.roll_key.label, { name: key.name })}
              >
                {texts.editing.roll_key.button}
              </Button>
            )}
            <Button
              size="small"
              onClick={() => act({ kind: 'revoke', target: key })}
              aria-label={fillIn(text.revoke.label, { name: key.name })}
            >
              {text.revoke.button}
            </Button>
          </span>
        ),
    },
  ]
}

/** When a key was last used, with its requests of the last days. */
function LastUse({ target: { id, name, last_used_at } }: { target: Key }) {
  const { editing } = useTexts()
  const environment = useEnvironment()
  return (
    <span className="grid min-w-24 justify-items-start gap-0.5 max-sm:justify-items-end">
      <LastTime at={last_used_at} />
      {last_used_at !== undefined && (
        <Link
          to="/$environment/requests"
          params={{ environment }}
          search={{ caller: `key:${id}` }}
          aria-label={fillIn(editing.key.requests_label, { name })}
          className="text-xs text-accent underline-offset-4 hover:underline"
        >
          {editing.key.requests}
        </Link>
      )}
    </span>
  )
}

/** When a key was created, and by whom if a member did. */
function Creation({ target, members }: { target: Key; members: Team['members'] }) {
  const text = useTexts().editing.key
  const { created_at, created_by } = target
  const creator = members.find(({ id }) => id === created_by)?.name ?? text.former_member
  return (
    <span className="grid min-w-22 gap-0.5">
      <span className="whitespace-nowrap">
        <Time at={created_at} form="day" />
      </span>
      {created_by !== undefined && (
        <span className="text-xs text-soft">{fillIn(text.by, { name: creator })}</span>
      )}
    </span>
  )
}

function Expiry({ revoked_at, expires_at, expired, replaced_by }: Key) {
  const { keys: text, editing } = useTexts()
  if (revoked_at !== undefined) return <Badge tone="bad">{text.revoked}</Badge>
  if (expires_at === undefined) return <span className="text-soft">{text.never_expires}</span>
  if (expired) return <Badge tone="wait">{text.expired}</Badge>
  return (
    <span className="grid justify-items-start gap-1 max-sm:justify-items-end">
      {replaced_by !== undefined && <Badge tone="wait">{editing.key.replaced}</Badge>}
      <Time at={expires_at} form={replaced_by === undefined ? 'day' : 'relative'} />
    </span>
  )
}
