import { useState } from 'react'
import type { Member } from '@vidimus/contract'
import { may } from '@vidimus/contract/roles'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useTexts } from '../texts/texts-context.ts'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { AffectedKeys, type KeysDecision } from './affected-keys.tsx'

export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const text = useTexts().team.remove
  const { name } = member
  const [keys, setKeys] = useState<KeysDecision>('revoke')
  return (
    <ChangeDialog
      op="removeMember"
      input={{ params: { id: member.id }, query: { keys } }}
      invalidates={['listTeam', 'listKeys', 'listDevices']}
      successMessage={fillIn(text.done, { name })}
      title={fillIn(text.title, { name })}
      description={text.description}
      submit={text.submit}
      variant="danger"
      onClose={onClose}
    >
      <AffectedKeys
        legend={fillIn(text.keys, { name })}
        affects={({ created_by }) => created_by === member.id}
        value={keys}
        onChange={setKeys}
      />
      {may(member.role, 'read_secret') && <p className="text-sm text-soft">{text.secret}</p>}
    </ChangeDialog>
  )
}
