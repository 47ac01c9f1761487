import { useState } from 'react'
import type { Member } from '@vidimus/contract'
import { useChange } from '../api/queries.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { useSay } from '../ui/toast.tsx'
import { ChooseRole } from './choose-role.tsx'

export function ChangeRole({ member, onClose }: { member: Member; onClose: () => void }) {
  const [role, setRole] = useState(member.role)
  const change = useChange('changeRole', ['listTeam', 'getMe'])
  const say = useSay()
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Role of ${member.name}`}
      submit="Change role"
      busy={change.isPending}
      disabled={role === member.role}
      error={change.error}
      onSubmit={() =>
        change.mutate(
          { params: { id: member.id }, json: { role } },
          {
            onSuccess: () => {
              say(`${member.name} is ${role} now.`)
              onClose()
            },
          },
        )
      }
    >
      <ChooseRole value={role} onChange={setRole} />
    </FormDialog>
  )
}
