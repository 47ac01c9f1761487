import { useState } from 'react'
import { UserPlus } from 'lucide-react'
import type { Member, PendingInvitation } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationQuery } from '../api/queries.ts'
import { usePermission, useMe } from '../shell/shell-context.ts'
import type { Texts } from '../texts/languages.ts'
import type { Formats } from '../texts/formats.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { LastTime, Time } from '../ui/time.tsx'
import { ChangeRole } from './change-role.tsx'
import { InvitationMail } from './invitation-mail.tsx'
import { InviteMember } from './invite.tsx'
import { RemoveMember } from './remove-member.tsx'
import { RoleGuide } from './role-guide.tsx'

export function Team() {
  const texts = useTexts()
  const formats = useFormats()
  const text = texts.team
  const team = useOperationQuery('listTeam', {})
  const canManage = usePermission('manage_team')
  const { member: me } = useMe()
  const [inviting, setInviting] = useState(false)
  const [changing, setChanging] = useState<Member>()
  const [removing, setRemoving] = useState<Member>()
  const [withdrawing, setWithdrawing] = useState<PendingInvitation>()
  const invitations = team.data?.invitations ?? []
  const canManageMember = (member: Member) => canManage && (me.role === 'owner' || member.role !== 'owner')
  return (
    <Page
      title={text.title}
      description={text.description}
      actions={
        canManage && (
          <Button
            variant="primary"
            icon={<UserPlus className="size-4" aria-hidden />}
            onClick={() => setInviting(true)}
          >
            {text.invite.title}
          </Button>
        )
      }
    >
      <div className="grid gap-8">
        {team.error !== null && <ErrorMessage error={team.error} retry={() => void team.refetch()} />}
        {team.isPending && <SkeletonRows rows={3} />}
        {team.data !== undefined && (
          <Table
            caption={text.members}
            rows={team.data.members}
            rowKey={({ id }) => id}
            columns={memberColumns({
              canManageMember,
              change: setChanging,
              remove: setRemoving,
              texts,
              formats,
            })}
          />
        )}
        {invitations.length > 0 && (
          <section className="grid gap-3">
            <h2 className="font-semibold">{text.invitations.title}</h2>
            <Table
              caption={text.invitations.title}
              rows={invitations}
              rowKey={({ id }) => id}
              columns={invitationColumns(canManage, setWithdrawing, texts)}
            />
          </section>
        )}
        <RoleGuide />
      </div>
      {inviting && <InviteMember onClose={() => setInviting(false)} />}
      {changing !== undefined && <ChangeRole member={changing} onClose={() => setChanging(undefined)} />}
      {removing !== undefined && <RemoveMember member={removing} onClose={() => setRemoving(undefined)} />}
      {withdrawing !== undefined && (
        <WithdrawInvitation invitation={withdrawing} onClose={() => setWithdrawing(undefined)} />
      )}
    </Page>
  )
}

type MemberColumnOptions = {
  canManageMember: (member: Member) => boolean
  change: (member: Member) => void
  remove: (member: Member) => void
  texts: Texts
  formats: Formats
}

function memberColumns({
  canManageMember,
  change,
  remove,
  texts: { team: text, common },
  formats,
}: MemberColumnOptions): Column<Member>[] {
  return [
    {
      title: text.member,
      rowHeader: true,
      cell: ({ name, email, you }) => (
        <div>
          <span className="font-medium">{name}</span> {you && <Badge>{text.you}</Badge>}
          <span className="block text-xs text-soft">{email}</span>
        </div>
      ),
    },
    { title: text.role, cell: ({ role }) => common.roles[role] },
    {
      title: text.signs_in_with,
      cell: ({ passkeys, oidc_linked }) =>
        [passkeys > 0 && formats.count(text.passkeys, passkeys), oidc_linked && text.identity_provider]
          .filter(Boolean)
          .join(', ') || text.not_set_up,
    },
    {
      title: text.last_seen,
      cell: ({ last_seen_at }) => <LastTime at={last_seen_at} />,
    },
    {
      title: '',
      end: true,
      cell: (member) =>
        canManageMember(member) && (
          <span className="inline-flex gap-1.5">
            <Button
              size="small"
              onClick={() => change(member)}
              aria-label={fillIn(text.change_role.label, { name: member.name })}
            >
              {text.change_role.button}
            </Button>
            {!member.you && (
              <Button
                size="small"
                onClick={() => remove(member)}
                aria-label={fillIn(text.remove.label, { name: member.name })}
              >
                {text.remove.button}
              </Button>
            )}
          </span>
        ),
    },
  ]
}

function invitationColumns(
  canManage: boolean,
  withdraw: (invitation: PendingInvitation) => void,
  { team, common }: Texts,
): Column<PendingInvitation>[] {
  const text = team.invitations
  return [
    {
      title: text.email,
      rowHeader: true,
      cell: ({ email, ...invitation }) => (
        <div>
          <span className="font-medium">{email}</span>
          <InvitationMail {...invitation} />
        </div>
      ),
    },
    { title: team.role, cell: ({ role }) => common.roles[role] },
    {
      title: text.invited_by,
      cell: ({ invited_by }) => (invited_by === 'operator' ? team.operator : invited_by),
    },
    {
      title: text.expires,
      cell: ({ expires_at, expired }) => (expired ? <Badge>{text.expired}</Badge> : <Time at={expires_at} />),
    },
    {
      title: '',
      end: true,
      cell: (invitation) =>
        canManage && (
          <Button
            size="small"
            onClick={() => withdraw(invitation)}
            aria-label={fillIn(text.withdraw_label, { email: invitation.email })}
          >
            {text.withdraw}
          </Button>
        ),
    },
  ]
}

function WithdrawInvitation({ invitation, onClose }: { invitation: PendingInvitation; onClose: () => void }) {
  const text = useTexts().team.invitations
  return (
    <ChangeDialog
      op="withdrawInvitation"
      input={{ params: { id: invitation.id } }}
      invalidates={['listTeam']}
      successMessage={text.withdrawn}
      title={text.withdraw_title}
      description={fillIn(text.withdraw_description, { email: invitation.email })}
      submit={text.withdraw_submit}
      variant="danger"
      onClose={onClose}
    />
  )
}
