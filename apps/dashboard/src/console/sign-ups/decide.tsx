import { useState } from 'react'
import type { SignedUp } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useOperationMutation } from '../api.ts'
import { ChangeDialog } from '../change-dialog.tsx'
import { omitEmpty, ReasonField } from '../tenants/form-parts.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'

const invalidates = ['listSignUps', 'listTenants', 'getTenant', 'listLog'] as const

type DecisionProps = { signedUp: SignedUp; onClose: () => void }

export function ApproveTenant({ signedUp: { tenant }, onClose }: DecisionProps) {
  const text = useConsoleTexts().sign_ups.approve
  const [reason, setReason] = useState('')
  return (
    <ChangeDialog
      op="approveTenant"
      input={{ params: { id: tenant.id }, json: omitEmpty({ reason }) }}
      invalidates={invalidates}
      successMessage={fillIn(text.done, { name: tenant.name })}
      title={fillIn(text.title, { name: tenant.name })}
      description={text.description}
      submit={text.submit}
      onClose={onClose}
    >
      <ReasonField value={reason} onChange={setReason} />
    </ChangeDialog>
  )
}

/** A refusal has a reason, which the tenant reads. */
export function RefuseTenant({ signedUp: { tenant, approval }, onClose }: DecisionProps) {
  const text = useConsoleTexts().sign_ups.refuse
  const showToast = useToast()
  const [reason, setReason] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const refuse = useOperationMutation('refuseTenant', invalidates)
  const reasonMissing = reason.trim() === ''
  return (
    <FormDialog
      open
      persistent
      onClose={onClose}
      title={fillIn(text.title, { name: tenant.name })}
      description={approval === 'waiting' ? text.closes : text.keeps_testing}
      submit={text.submit}
      variant="danger"
      busy={refuse.isPending}
      error={refuse.error}
      onSubmit={() => {
        setSubmitted(true)
        if (reasonMissing) return
        refuse.mutate(
          { params: { id: tenant.id }, json: { reason: reason.trim() } },
          { onSuccess: () => (showToast(fillIn(text.done, { name: tenant.name })), onClose()) },
        )
      }}
    >
      <TextField
        label={text.reason}
        hint={text.reason_hint}
        maxLength={500}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        error={submitted && reasonMissing ? text.reason_missing : undefined}
      />
    </FormDialog>
  )
}
