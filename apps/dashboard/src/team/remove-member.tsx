import type { Member } from '@vidimus/contract'
import { may } from '@vidimus/contract/roles'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useTexts } from '../texts/texts-context.ts'
import { ChangeMember } from './change-member.tsx'
import { MemberAccess, useMemberAccess } from './member-access.tsx'

export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const text = useTexts().team.remove
  const { name } = member
  const memberAccess = useMemberAccess(member)
  return (
    <ChangeMember
      op="removeMember"
      input={{ params: { id: member.id }, query: memberAccess.decisions }}
      successMessage={fillIn(text.done, { name })}
      title={fillIn(text.title, { name })}
      description={text.description}
      submit={text.submit}
      variant="danger"
      disabled={memberAccess.access.data === undefined}
      onClose={onClose}
    >
      <MemberAccess name={name} {...memberAccess} />
      {may(member.role, 'read_secret') && <p className="text-sm text-soft">{text.secret}</p>}
    </ChangeMember>
  )
}
