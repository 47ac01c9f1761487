import { useState } from 'react'
import { UserPlus } from 'lucide-react'
import type { Member, PendingInvitation } from '@vidimus/contract'
import { useOperationQuery } from '../api/queries.ts'
import { usePermission, useMe } from '../shell/shell-context.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { LastTime, Time } from '../ui/time.tsx'
import { ChangeRole } from './change-role.tsx'
import { InviteMember } from './invite.tsx'
import { RemoveMember } from './remove-member.tsx'
import { RoleGuide, roleLabels } from './role-guide.tsx'

export function Team() {
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
      title="Team"
      description="Members and their roles. Everyone signs in with a passkey or your identity provider; there are no passwords."
      actions={
        canManage && (
          <Button
            variant="primary"
            icon={<UserPlus className="size-4" aria-hidden />}
            onClick={() => setInviting(true)}
          >
            Invite member
          </Button>
        )
      }
    >
      <div className="grid gap-8">
        {team.error !== null && <ErrorMessage error={team.error} retry={() => void team.refetch()} />}
        {team.isPending && <SkeletonRows rows={3} />}
        {team.data !== undefined && (
          <Table
            caption="Members"
            rows={team.data.members}
            rowKey={({ id }) => id}
            columns={memberColumns(canManageMember, setChanging, setRemoving)}
          />
        )}
        {invitations.length > 0 && (
          <section className="grid gap-3">
            <h2 className="font-semibold">Open invitations</h2>
            <Table
              caption="Open invitations"
              rows={invitations}
              rowKey={({ id }) => id}
              columns={invitationColumns(canManage, setWithdrawing)}
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

function memberColumns(
  canManageMember: (member: Member) => boolean,
  change: (member: Member) => void,
  remove: (member: Member) => void,
): Column<Member>[] {
  return [
    {
      title: 'Member',
      rowHeader: true,
      cell: ({ name, email, you }) => (
        <div>
          <span className="font-medium">{name}</span> {you && <Badge>You</Badge>}
          <span className="block text-xs text-soft">{email}</span>
        </div>
      ),
    },
    { title: 'Role', cell: ({ role }) => roleLabels[role] },
    {
      title: 'Signs in with',
      cell: ({ passkeys, oidc_linked }) =>
        [
          passkeys > 0 && (passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`),
          oidc_linked && 'identity provider',
        ]
          .filter(Boolean)
          .join(', ') || 'Not set up',
    },
    {
      title: 'Last seen',
      cell: ({ last_seen_at }) => <LastTime at={last_seen_at} />,
    },
    {
      title: '',
      end: true,
      cell: (member) =>
        canManageMember(member) && (
          <span className="inline-flex gap-1.5">
            <Button size="small" onClick={() => change(member)} aria-label={`Change role of ${member.name}`}>
              Change role
            </Button>
            {!member.you && (
              <Button size="small" onClick={() => remove(member)} aria-label={`Remove ${member.name}`}>
                Remove
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
): Column<PendingInvitation>[] {
  return [
    {
      title: 'E-mail address',
      rowHeader: true,
      cell: ({ email }) => <span className="font-medium">{email}</span>,
    },
    { title: 'Role', cell: ({ role }) => roleLabels[role] },
    { title: 'Invited by', cell: ({ invited_by }) => (invited_by === 'operator' ? 'Operator' : invited_by) },
    {
      title: 'Expires',
      cell: ({ expires_at, lapsed }) => (lapsed ? <Badge>Expired</Badge> : <Time at={expires_at} />),
    },
    {
      title: '',
      end: true,
      cell: (invitation) =>
        canManage && (
          <Button
            size="small"
            onClick={() => withdraw(invitation)}
            aria-label={`Withdraw invitation for ${invitation.email}`}
          >
            Withdraw
          </Button>
        ),
    },
  ]
}

function WithdrawInvitation({ invitation, onClose }: { invitation: PendingInvitation; onClose: () => void }) {
  return (
    <ChangeDialog
      op="withdrawInvitation"
      input={{ params: { id: invitation.id } }}
      invalidates={['listTeam']}
      successMessage="Invitation withdrawn."
      title="Withdraw this invitation?"
      description={`The link for ${invitation.email} stops working.`}
      submit="Withdraw invitation"
      variant="danger"
      onClose={onClose}
    />
  )
}
