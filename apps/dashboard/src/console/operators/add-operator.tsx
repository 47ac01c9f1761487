import { useState } from 'react'
import type { OperatorRole } from '@vidimus/contract/operator-roles'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { useOperationMutation } from '../api.ts'
import { isEmail, omitEmpty, ReasonField } from '../tenants/form-parts.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'
import { ChooseRole } from './choose-role.tsx'
import { InvitationLink } from './invitation-link.tsx'

export function AddOperator({ onClose }: { onClose: () => void }) {
  const { operators } = useConsoleTexts()
  const text = operators.add
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<OperatorRole>('support')
  const [reason, setReason] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const add = useOperationMutation('addOperator', ['listOperators', 'listLog'])
  if (add.data !== undefined) return <InvitationLink invited={add.data} onClose={onClose} />
  const nameMissing = name.trim() === ''
  return (
    <FormDialog
      open
      persistent
      onClose={onClose}
      title={text.title}
      submit={text.submit}
      busy={add.isPending}
      error={add.error}
      onSubmit={() => {
        setSubmitted(true)
        if (nameMissing || !isEmail(email)) return
        add.mutate({
          json: { name: name.trim(), email: email.trim(), role, ...omitEmpty({ reason }) },
        })
      }}
    >
      <TextField
        label={text.name}
        hint={text.name_hint}
        maxLength={80}
        value={name}
        onChange={({ target }) => setName(target.value)}
        error={submitted && nameMissing ? text.name_missing : undefined}
      />
      <TextField
        label={text.email}
        type="email"
        value={email}
        onChange={({ target }) => setEmail(target.value)}
        error={submitted && !isEmail(email) ? text.email_invalid : undefined}
      />
      <ChooseRole value={role} onChange={setRole} />
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  )
}
