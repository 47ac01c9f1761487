import { useState } from 'react'
import type { OperatorTenantDetail } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useOperationMutation } from '../api.ts'
import { useConsoleTexts } from '../texts/console-texts.ts'
import { ReasonField } from './form-parts.tsx'
import { stateReads } from './suspend-tenant.tsx'

/** Deletes a tenant in seven days, after its name was typed. The service compares the name once more. */
export function DeleteTenant({ tenant, onClose }: { tenant: OperatorTenantDetail; onClose: () => void }) {
  const { tenant: page } = useConsoleTexts()
  const text = page.delete
  const showToast = useToast()
  const [typedName, setTypedName] = useState('')
  const [reason, setReason] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const remove = useOperationMutation('deleteTenant', stateReads)
  const nameDiffers = typedName.trim() !== tenant.name
  const reasonMissing = reason.trim() === ''
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
      busy={remove.isPending}
      error={remove.error}
      onSubmit={() => {
        setSubmitted(true)
        if (nameDiffers || reasonMissing) return
        remove.mutate(
          { params: { id: tenant.id }, json: { name: typedName.trim(), reason: reason.trim() } },
          { onSuccess: () => (showToast(fillIn(text.done, { name: tenant.name })), onClose()) },
        )
      }}
    >
      <ReasonField
        value={reason}
        onChange={setReason}
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
