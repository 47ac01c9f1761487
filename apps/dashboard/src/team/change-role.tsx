import { useState } from 'react'
import type { Member } from '@vidimus/contract'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { ChooseRole } from './choose-role.tsx'

export function ChangeRole({ member, onClose }: { member: Member; onClose: () => void }) {
  const [role, setRole] = useState(member.role)
  return (
    <ChangeDialog
      op="changeRole"
      input={{ params: { id: member.id }, json: { role } }}
      stale={['listTeam', 'getMe']}
      done={`${member.name} is ${role} now.`}
      title={`Role of ${member.name}`}
      submit="Change role"
      disabled={role === member.role}
      onClose={onClose}
    >
      <ChooseRole value={role} onChange={setRole} />
    </ChangeDialog>
  )
}
