import { useState } from 'react'
import type { DashboardDevice } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { useToast } from '../ui/toast.tsx'
import { TemplateChoices } from './template-choices.tsx'

/** Renames a device and changes its templates. */
export function EditDevice({ target, onClose }: { target: DashboardDevice; onClose: () => void }) {
  const { editing, devices, common } = useTexts()
  const text = editing.device
  const environment = useEnvironment()
  const change = useOperationMutation('changeDevice', ['listDevices'])
  const showToast = useToast()
  const [name, setName] = useState(target.name)
  const [allowed, setAllowed] = useState<readonly string[]>(target.allowed_templates)
  const [submitted, setSubmitted] = useState(false)
  const submit = () => {
    setSubmitted(true)
    if (name.trim() === '' || allowed.length === 0) return
    change.mutate(
      {
        params: { environment, id: target.id },
        json: { name: name.trim(), allowed_templates: [...allowed] },
      },
      {
        onSuccess: (device) => {
          showToast(fillIn(text.saved, { name: device.name }))
          onClose()
        },
      },
    )
  }
  return (
    <FormDialog
      open
      persistent
      onClose={onClose}
      title={fillIn(text.title, { name: target.name })}
      submit={text.submit}
      onSubmit={submit}
      busy={change.isPending}
      error={change.error}
    >
      <TextField
        label={common.name}
        hint={devices.form.name_hint}
        maxLength={64}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={submitted && name.trim() === '' ? devices.form.name_missing : undefined}
      />
      <TemplateChoices allowed={allowed} onChange={setAllowed} missing={submitted && allowed.length === 0} />
    </FormDialog>
  )
}
