import { useState } from 'react'
import type { OperatorTenantDetail } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useOperationMutation } from '../api.ts'
import { ChangeDialog } from '../change-dialog.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'
import { omitEmpty, ReasonField } from './form-parts.tsx'
import { stateReads } from './suspend-tenant.tsx'

type StateDialogProps = { tenant: OperatorTenantDetail; onClose: () => void }

export function ResumeTenant({ tenant, onClose }: StateDialogProps) {
  const text = useConsoleTexts().tenant.resume
  const [reason, setReason] = useState('')
  return (
    <ChangeDialog
      op="resumeTenant"
      input={{ params: { id: tenant.id }, json: omitEmpty({ reason }) }}
      invalidates={stateReads}
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

/** Closed is for good, so the name has to be typed. */
export function CloseTenant({ tenant, onClose }: StateDialogProps) {
  const { tenant: page } = useConsoleTexts()
  const text = page.close
  const showToast = useToast()
  const [reason, setReason] = useState('')
  const [typedName, setTypedName] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const close = useOperationMutation('closeTenant', stateReads)
  const reasonMissing = reason.trim() === ''
  const nameDiffers = typedName.trim() !== tenant.name
  return (
    <FormDialog
      open
      persistent
      onClose={onClose}
      title={fillIn(text.title, { name: tenant.name })}
      description={text.description}
      submit={text.submit}
      variant="danger"
      note={page.suspend.asks_for_passkey}
      busy={close.isPending}
      error={close.error}
      onSubmit={() => {
        setSubmitted(true)
        if (reasonMissing || nameDiffers) return
        close.mutate(
          { params: { id: tenant.id }, json: { reason: reason.trim() } },
          { onSuccess: () => (showToast(fillIn(text.done, { name: tenant.name })), onClose()) },
        )
      }}
    >
      <TextField
        label={page.suspend.reason}
        hint={page.suspend.reason_hint}
        maxLength={500}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        error={submitted && reasonMissing ? page.suspend.reason_missing : undefined}
      />
      <TextField
        label={fillIn(page.suspend.type_name, { name: tenant.name })}
        value={typedName}
        onChange={({ target }) => setTypedName(target.value)}
        error={submitted && nameDiffers ? page.suspend.name_differs : undefined}
      />
    </FormDialog>
  )
}

/** Withdraws the deletion. */
export function KeepTenant({ tenant, onClose }: StateDialogProps) {
  const text = useConsoleTexts().tenant.keep
  return (
    <ChangeDialog
      op="keepTenant"
      input={{ params: { id: tenant.id } }}
      invalidates={stateReads}
      successMessage={fillIn(text.done, { name: tenant.name })}
      title={fillIn(text.title, { name: tenant.name })}
      description={text.description}
      submit={text.submit}
      onClose={onClose}
    />
  )
}
