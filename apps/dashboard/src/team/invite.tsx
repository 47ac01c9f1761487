import { useState } from 'react'
import type { Role } from '@vidimus/contract/roles'
import { useOperationMutation } from '../api/queries.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { SecretDialog } from '../ui/secret-dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Time } from '../ui/time.tsx'
import { ChooseRole } from './choose-role.tsx'

export function InviteMember({ onClose }: { onClose: () => void }) {
  const { team, common } = useTexts()
  const text = team.invite
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('developer')
  const [submitted, setSubmitted] = useState(false)
  const invite = useOperationMutation('inviteMember', ['listTeam'])
  const emailIsValid = /^[^\s@]+@[^\s@]+$/u.test(email.trim())
  if (invite.data !== undefined) {
    const { invitation, link } = invite.data
    return (
      <SecretDialog
        secret={link}
        onClose={onClose}
        title={text.link_title}
        description={
          <Sentence
            text={invitation.mail === 'waiting' ? text.link_description_mailed : text.link_description}
            values={{
              email: invitation.email,
              at: <Time at={invitation.expires_at} />,
              role: common.roles[invitation.role],
            }}
          />
        }
        copy={text.copy_link}
        copied={text.copied}
      />
    )
  }
  return (
    <FormDialog
      open
      persistent
      onClose={onClose}
      title={text.title}
      submit={text.submit}
      busy={invite.isPending}
      error={invite.error}
      onSubmit={() => {
        setSubmitted(true)
        if (emailIsValid) invite.mutate({ json: { email: email.trim(), role } })
      }}
    >
      <TextField
        label={team.invitations.email}
        type="email"
        autoComplete="off"
        hint={text.email_hint}
        value={email}
        onChange={({ target }) => setEmail(target.value)}
        error={submitted && !emailIsValid ? text.email_invalid : undefined}
      />
      <ChooseRole value={role} onChange={setRole} />
    </FormDialog>
  )
}
