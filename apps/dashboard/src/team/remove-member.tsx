import { useState } from 'react'
import type { Member } from '@vidimus/contract'
import { may } from '@vidimus/contract/roles'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { AffectedKeys, type KeysDecision } from './affected-keys.tsx'

export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const [keys, setKeys] = useState<KeysDecision>('revoke')
  return (
    <ChangeDialog
      op="removeMember"
      input={{ params: { id: member.id }, query: { keys } }}
      invalidates={['listTeam', 'listKeys', 'listDevices']}
      successMessage={`${member.name} removed.`}
      title={`Remove ${member.name}?`}
      description="Their sessions end and their passkeys stop working at once. So do invitations they sent, and devices they registered that are not paired yet. Their audit entries are kept."
      submit="Remove member"
      variant="danger"
      onClose={onClose}
    >
      <AffectedKeys
        legend={`API keys that ${member.name} created`}
        affects={({ created_by }) => created_by === member.id}
        value={keys}
        onChange={setKeys}
      />
      {may(member.role, 'read_secret') && (
        <p className="text-sm text-soft">
          Their role can reveal the webhook signing secret. If the audit log shows that they did, rotate it
          under Webhooks.
        </p>
      )}
    </ChangeDialog>
  )
}
