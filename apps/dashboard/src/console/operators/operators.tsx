import { useState } from 'react'
import { UserPlus } from 'lucide-react'
import type { OperatorAccount } from '@vidimus/contract'
import { operatorRoles, type OperatorRole } from '@vidimus/contract/operator-roles'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { Sentence } from '../../texts/sentence.tsx'
import type { Formats } from '../../texts/formats.ts'
import { useFormats } from '../../texts/texts-context.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Card, Fact, Facts, Page } from '../../ui/page.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { LastTime, Time } from '../../ui/time.tsx'
import { useOperationQuery } from '../api.ts'
import { ChangeDialog } from '../change-dialog.tsx'
import { PageForRole } from '../shell/not-for-role.tsx'
import { ReasonField, omitEmpty } from '../tenants/form-parts.tsx'
import { useConsoleTexts, type ConsoleTexts } from '../texts/console-texts.ts'
import { AddOperator } from './add-operator.tsx'
import { ChooseRole } from './choose-role.tsx'
import { InvitationLink } from './invitation-link.tsx'

const invalidates = ['listOperators', 'listTokens', 'listLog', 'getMe'] as const

/** Who may sign in to the console. */
export function Operators() {
  const text = useConsoleTexts().operators
  return (
    <PageForRole permission="manage_operators" text={text}>
      <OperatorList />
    </PageForRole>
  )
}

type Change = { kind: 'change_role' | 'invite' | 'remove'; operator: OperatorAccount }

function OperatorList() {
  const texts = useConsoleTexts()
  const text = texts.operators
  const formats = useFormats()
  const operators = useOperationQuery('listOperators', {})
  const [adding, setAdding] = useState(false)
  const [change, setChange] = useState<Change>()
  const close = () => setChange(undefined)
  const rows = operators.data?.data.toSorted(
    (a, b) => Number(a.removed_at !== undefined) - Number(b.removed_at !== undefined),
  )
  return (
    <Page
      title={text.title}
      description={text.description}
      actions={
        <Button
          variant="primary"
          icon={<UserPlus className="size-4" aria-hidden />}
          onClick={() => setAdding(true)}
        >
          {text.add.title}
        </Button>
      }
    >
      <div className="grid gap-6">
        {operators.error !== null && (
          <ErrorMessage error={operators.error} retry={() => void operators.refetch()} />
        )}
        {operators.isPending && <SkeletonRows rows={3} />}
        {rows !== undefined && (
          <Table
            caption={text.caption}
            rows={rows}
            rowKey={({ id }) => id}
            columns={columns({ texts, formats, change: setChange })}
          />
        )}
        <Roles />
      </div>
      {adding && <AddOperator onClose={() => setAdding(false)} />}
      {change?.kind === 'change_role' && <ChangeRole operator={change.operator} onClose={close} />}
      {change?.kind === 'invite' && <InviteAgain operator={change.operator} onClose={close} />}
      {change?.kind === 'remove' && <RemoveOperator operator={change.operator} onClose={close} />}
    </Page>
  )
}

type ColumnOptions = { texts: ConsoleTexts; formats: Formats; change: (change: Change) => void }

function columns({
  texts: { operators: text, shell },
  formats,
  change,
}: ColumnOptions): Column<OperatorAccount>[] {
  const buttons = ['change_role', 'invite', 'remove'] as const
  return [
    {
      title: text.operator,
      rowHeader: true,
      cell: ({ name, email, you, removed_at }) => (
        <div>
          <span className="font-medium">{name}</span> {you && <Badge>{text.you}</Badge>}
          {removed_at !== undefined && <Badge>{text.removed}</Badge>}
          <span className="block text-xs text-soft">{email}</span>
        </div>
      ),
    },
    { title: text.role, cell: ({ role }) => <span className="whitespace-nowrap">{shell.roles[role]}</span> },
    {
      title: text.signs_in_with,
      cell: ({ passkeys, oidc_linked, invited_until, removed_at }) => (
        <span className="grid max-sm:justify-items-end">
          {passkeys > 0 && <span>{formats.count(text.passkeys, passkeys)}</span>}
          {oidc_linked && <span>{text.identity_provider}</span>}
          {passkeys === 0 && !oidc_linked && <span>{text.nothing}</span>}
          {invited_until !== undefined && removed_at === undefined && (
            <span className="text-xs text-soft">
              <Sentence text={text.invited_until} values={{ at: <Time at={invited_until} /> }} />
            </span>
          )}
        </span>
      ),
    },
    { title: text.last_seen, cell: ({ last_seen_at }) => <LastTime at={last_seen_at} /> },
    {
      title: '',
      end: true,
      cell: (operator) =>
        operator.removed_at === undefined && (
          <span className="inline-flex flex-wrap justify-end gap-1.5">
            {buttons
              .filter((kind) => isPossible(kind, operator))
              .map((kind) => (
                <Button
                  key={kind}
                  size="small"
                  onClick={() => change({ kind, operator })}
                  aria-label={fillIn(text[kind].label, { name: operator.name })}
                >
                  {text[kind].button}
                </Button>
              ))}
          </span>
        ),
    },
  ]
}

/** Nobody removes themselves. Only a command on the server invites an owner who has joined, because with the link one could act as them. */
function isPossible(kind: Change['kind'], { you, role, joined_at }: OperatorAccount): boolean {
  if (kind === 'invite') return role !== 'owner' || joined_at === undefined
  return kind !== 'remove' || !you
}

type ChangeProps = { operator: OperatorAccount; onClose: () => void }

function ChangeRole({ operator, onClose }: ChangeProps) {
  const text = useConsoleTexts().operators
  const [role, setRole] = useState<OperatorRole>(operator.role)
  const [reason, setReason] = useState('')
  return (
    <ChangeDialog
      op="changeOperatorRole"
      input={{ params: { id: operator.id }, json: { role, ...omitEmpty({ reason }) } }}
      invalidates={invalidates}
      successMessage={fillIn(text.change_role.done, { name: operator.name })}
      title={fillIn(text.change_role.title, { name: operator.name })}
      submit={text.change_role.submit}
      disabled={role === operator.role}
      onClose={onClose}
    >
      <ChooseRole value={role} onChange={setRole} />
      <ReasonField value={reason} onChange={setReason} />
    </ChangeDialog>
  )
}

function InviteAgain({ operator, onClose }: ChangeProps) {
  const text = useConsoleTexts().operators
  return (
    <ChangeDialog
      op="inviteOperator"
      input={{ params: { id: operator.id } }}
      invalidates={invalidates}
      successMessage={text.link.created}
      title={fillIn(text.invite.title, { name: operator.name })}
      description={text.invite.description}
      submit={text.add.submit}
      onClose={onClose}
      renderResult={(invited) => <InvitationLink invited={invited} onClose={onClose} />}
    />
  )
}

function RemoveOperator({ operator, onClose }: ChangeProps) {
  const text = useConsoleTexts().operators
  return (
    <ChangeDialog
      op="removeOperator"
      input={{ params: { id: operator.id } }}
      invalidates={invalidates}
      successMessage={fillIn(text.remove.done, { name: operator.name })}
      title={fillIn(text.remove.title, { name: operator.name })}
      description={text.remove.description}
      submit={text.remove.submit}
      variant="danger"
      onClose={onClose}
    />
  )
}

/** What each role is for. */
function Roles() {
  const { operators: text, shell } = useConsoleTexts()
  return (
    <Card title={text.roles_title}>
      <Facts>
        {operatorRoles.map((role) => (
          <Fact key={role} name={shell.roles[role]}>
            {text.role_descriptions[role]}
          </Fact>
        ))}
      </Facts>
    </Card>
  )
}
