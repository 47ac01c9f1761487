import { useState } from 'react'
import { Plus } from 'lucide-react'
import type { OperatorToken } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Page } from '../../ui/page.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { LastTime, Time } from '../../ui/time.tsx'
import { useOperationQuery } from '../api.ts'
import { ChangeDialog } from '../change-dialog.tsx'
import { useConsoleTexts, type ConsoleTexts } from '../texts/console-texts.ts'
import { CreateToken } from './create-token.tsx'

/** What programs call the operators' API with. An owner sees all, the others their own. */
export function Tokens() {
  const texts = useConsoleTexts()
  const text = texts.tokens
  const tokens = useOperationQuery('listTokens', {})
  const [creating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<OperatorToken>()
  const create = (
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
      {tokens.error !== null && <ErrorMessage error={tokens.error} retry={() => void tokens.refetch()} />}
      {tokens.isPending && <SkeletonRows rows={3} />}
      {tokens.data?.data.length === 0 && (
        <EmptyState title={text.empty_title} action={create}>
          <p>{text.empty_text}</p>
        </EmptyState>
      )}
      {tokens.data !== undefined && tokens.data.data.length > 0 && (
        <Table
          caption={text.caption}
          rows={tokens.data.data}
          rowKey={({ id }) => id}
          columns={columns(texts, setRevoking)}
        />
      )}
      {creating && <CreateToken onClose={() => setCreating(false)} />}
      {revoking !== undefined && (
        <ChangeDialog
          op="revokeToken"
          input={{ params: { id: revoking.id } }}
          invalidates={['listTokens', 'listLog']}
          successMessage={fillIn(text.revoke.done, { name: revoking.name })}
          title={fillIn(text.revoke.title, { name: revoking.name })}
          description={text.revoke.description}
          submit={text.revoke.submit}
          variant="danger"
          onClose={() => setRevoking(undefined)}
        />
      )}
    </Page>
  )
}

const tones: Record<OperatorToken['state'], Tone> = { active: 'good', expired: 'plain', revoked: 'plain' }

function columns(
  { tokens: text, shell, common }: ConsoleTexts,
  revoke: (token: OperatorToken) => void,
): Column<OperatorToken>[] {
  return [
    {
      title: common.name,
      rowHeader: true,
      cell: ({ name, prefix }) => (
        <span className="grid">
          <span className="font-medium">{name}</span>
          <code className="text-xs text-soft">{prefix}…</code>
        </span>
      ),
    },
    {
      title: common.status,
      cell: ({ state }) => (
        <Badge tone={tones[state]} dot>
          {text.states[state]}
        </Badge>
      ),
    },
    { title: text.role, cell: ({ role }) => shell.roles[role] },
    { title: text.made_by, cell: ({ operator }) => operator.name },
    { title: text.expires, cell: ({ expires_at }) => <Time at={expires_at} form="day" /> },
    { title: text.last_used, cell: ({ last_used_at }) => <LastTime at={last_used_at} /> },
    {
      title: '',
      end: true,
      cell: (token) =>
        token.state === 'active' && (
          <Button
            size="small"
            onClick={() => revoke(token)}
            aria-label={fillIn(text.revoke.label, { name: token.name })}
          >
            {text.revoke.button}
          </Button>
        ),
    },
  ]
}
