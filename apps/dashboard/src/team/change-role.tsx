import { useState } from 'react'
import type { Member } from '@vidimus/contract'
import { mayGrantScope } from '@vidimus/contract/roles'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { AffectedKeys, type KeysDecision } from './affected-keys.tsx'
import { ChooseRole } from './choose-role.tsx'

export function ChangeRole({ member, onClose }: { member: Member; onClose: () => void }) {
  const [role, setRole] = useState(member.role)
  const [keys, setKeys] = useState<KeysDecision>('revoke')
  return (
    <ChangeDialog
      op="changeRole"
      input={{ params: { id: member.id }, json: { role, keys } }}
      invalidates={['listTeam', 'getMe', 'listKeys']}
      successMessage={`${member.name} now has the role ${role}.`}
      title={`Role of ${member.name}`}
      submit="Change role"
      disabled={role === member.role}
      onClose={onClose}
    >
      <ChooseRole value={role} onChange={setRole} />
      {role !== member.role && (
        <AffectedKeys
          legend={`API keys created by ${member.name} that the role ${role} may not create`}
          affects={({ created_by, scopes }) =>
            created_by === member.id && scopes.some((scope) => !mayGrantScope(role, scope))
          }
          value={keys}
          onChange={setKeys}
        />
      )}
    </ChangeDialog>
  )
}
