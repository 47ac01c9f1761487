import { useState } from 'react'
import type { Member } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useTexts } from '../texts/texts-context.ts'
import { ChooseRole } from './choose-role.tsx'
import { ChangeMember } from './change-member.tsx'
import { MemberAccess, useMemberAccess } from './member-access.tsx'

export function ChangeRole({ member, onClose }: { member: Member; onClose: () => void }) {
  const { team, common } = useTexts()
  const text = team.change_role
  const { name } = member
  const [role, setRole] = useState(member.role)
  const memberAccess = useMemberAccess(member, role)
  return (
    <ChangeMember
      op="changeRole"
      input={{ params: { id: member.id }, json: { role, ...memberAccess.decisions } }}
      successMessage={fillIn(text.done, { name, role: common.roles[role] })}
      title={fillIn(text.title, { name })}
      submit={text.button}
      disabled={role === member.role || memberAccess.access.data === undefined}
      onClose={onClose}
    >
      <ChooseRole value={role} onChange={setRole} />
      {role !== member.role && <MemberAccess name={name} {...memberAccess} />}
    </ChangeMember>
  )
}
