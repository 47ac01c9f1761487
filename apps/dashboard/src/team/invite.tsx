import { useState } from 'react'
import type { Role } from '@vidimus/contract/roles'
import { useOperationMutation } from '../api/queries.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, FormDialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Copyable } from '../ui/copyable.tsx'
import { Time } from '../ui/time.tsx'
import { ChooseRole } from './choose-role.tsx'

export function InviteMember({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('developer')
  const [submitted, setSubmitted] = useState(false)
  const invite = useOperationMutation('inviteMember', ['listTeam'])
  const emailIsValid = /^[^\s@]+@[^\s@]+$/u.test(email.trim())
  if (invite.data !== undefined) {
    const { invitation, link } = invite.data
    return (
      <Dialog
        open
        persistent
        onClose={onClose}
        title="Invitation link"
        description={
          <>
            Send this link to {invitation.email}. It can be used once, until{' '}
            <Time at={invitation.expires_at} />, to join as {invitation.role}. It is shown only once, and no
            e-mail is sent.
          </>
        }
      >
        <Copyable text={link} label="Copy link" />
        <div className="flex justify-end">
          <Button variant="primary" onClick={onClose}>
            I have copied it
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <FormDialog
      open
      persistent
      onClose={onClose}
      title="Invite member"
      submit="Create invitation link"
      busy={invite.isPending}
      error={invite.error}
      onSubmit={() => {
        setSubmitted(true)
        if (emailIsValid) invite.mutate({ json: { email: email.trim(), role } })
      }}
    >
      <TextField
        label="E-mail address"
        type="email"
        autoComplete="off"
        hint="Identifies the member. You send the link yourself."
        value={email}
        onChange={({ target }) => setEmail(target.value)}
        error={submitted && !emailIsValid ? 'Enter an e-mail address.' : undefined}
      />
      <ChooseRole value={role} onChange={setRole} />
    </FormDialog>
  )
}
