import { useState } from 'react'
import type { Member } from '@vidimus/contract'
import { mayGrantScope } from '@vidimus/contract/roles'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useTexts } from '../texts/texts-context.ts'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { AffectedKeys, type KeysDecision } from './affected-keys.tsx'
import { ChooseRole } from './choose-role.tsx'

export function ChangeRole({ member, onClose }: { member: Member; onClose: () => void }) {
  const { team, common } = useTexts()
  const text = team.change_role
  const { name } = member
  const [role, setRole] = useState(member.role)
  const [keys, setKeys] = useState<KeysDecision>('revoke')
  return (
    <ChangeDialog
      op="changeRole"
      input={{ params: { id: member.id }, json: { role, keys } }}
      invalidates={['listTeam', 'getMe', 'listKeys']}
      successMessage={fillIn(text.done, { name, role: common.roles[role] })}
      title={fillIn(text.title, { name })}
      submit={text.button}
      disabled={role === member.role}
      onClose={onClose}
    >
      <ChooseRole value={role} onChange={setRole} />
      {role !== member.role && (
        <AffectedKeys
          legend={fillIn(text.keys, { name, role: common.roles[role] })}
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
