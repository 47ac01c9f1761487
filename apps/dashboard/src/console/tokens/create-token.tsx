import { useState } from 'react'
import { mayHoldOperatorRole, operatorRoles, type OperatorRole } from '@vidimus/contract/operator-roles'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useFormats } from '../../texts/texts-context.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { SecretDialog } from '../../ui/secret-dialog.tsx'
import { useOperationMutation } from '../api.ts'
import { ChooseRole } from '../operators/choose-role.tsx'
import { useOperator } from '../shell/console-context.ts'
import { omitEmpty, ReasonField } from '../tenants/form-parts.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'

const lifetimes_days = [1, 7, 30, 90] as const

export function CreateToken({ onClose }: { onClose: () => void }) {
  const text = useConsoleTexts().tokens.create
  const formats = useFormats()
  const { operator } = useOperator()
  const offered = operatorRoles.filter((each) => mayHoldOperatorRole(operator.role, each))
  const [name, setName] = useState('')
  const [role, setRole] = useState<OperatorRole>(operator.role === 'owner' ? 'billing' : operator.role)
  const [days, setDays] = useState(30)
  const [reason, setReason] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const create = useOperationMutation('createToken', ['listTokens', 'listLog'])
  if (create.data !== undefined) {
    return (
      <SecretDialog
        secret={create.data.token}
        onClose={onClose}
        title={text.token_title}
        description={fillIn(text.token_description, { name: create.data.name })}
        copy={text.copy}
        copied={text.copied}
      />
    )
  }
  const nameMissing = name.trim() === ''
  return (
    <FormDialog
      open
      persistent
      onClose={onClose}
      title={text.title}
      description={text.description}
      submit={text.submit}
      busy={create.isPending}
      error={create.error}
      onSubmit={() => {
        setSubmitted(true)
        if (nameMissing) return
        create.mutate({
          json: { name: name.trim(), role, expires_in_days: days, ...omitEmpty({ reason }) },
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
      <ChooseRole value={role} onChange={setRole} offered={offered} />
      <SelectField
        label={text.expires}
        value={String(days)}
        onChange={({ target }) => setDays(Number(target.value))}
      >
        {lifetimes_days.map((each) => (
          <option key={each} value={each}>
            {formats.count(text.days, each)}
          </option>
        ))}
      </SelectField>
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  )
}
