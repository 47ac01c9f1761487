import { useState } from 'react'
import type { DashboardDevice } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { ChoiceField, TextField } from '../ui/field.tsx'
import { useToast } from '../ui/toast.tsx'
import { TemplateChoices } from './template-choices.tsx'

const pinPattern = /^[0-9]{4,8}$/

/** Changes a device's name, its templates, its purpose, its PIN and whether its screen stays on. A PIN is replaced or removed, never shown. */
export function EditDevice({ target, onClose }: { target: DashboardDevice; onClose: () => void }) {
  const { editing, devices, common } = useTexts()
  const text = editing.device
  const environment = useEnvironment()
  const change = useOperationMutation('changeDevice', ['listDevices'])
  const showToast = useToast()
  const [name, setName] = useState(target.name)
  const [allowed, setAllowed] = useState<readonly string[]>(target.allowed_templates)
  const [pin, setPin] = useState('')
  const [removePin, setRemovePin] = useState(false)
  const [keepAwake, setKeepAwake] = useState(target.keep_awake)
  const [purpose, setPurpose] = useState(target.purpose ?? '')
  const [submitted, setSubmitted] = useState(false)
  const pinIsValid = pin === '' || removePin || pinPattern.test(pin)
  const submit = () => {
    setSubmitted(true)
    if (name.trim() === '' || allowed.length === 0 || !pinIsValid) return
    change.mutate(
      {
        params: { environment, id: target.id },
        json: {
          name: name.trim(),
          allowed_templates: [...allowed],
          keep_awake: keepAwake,
          purpose: purpose.trim() === '' ? null : purpose.trim(),
          ...(removePin ? { pin: null } : pin !== '' && { pin }),
        },
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
      <TextField
        label={text.purpose}
        hint={text.purpose_hint}
        maxLength={300}
        value={purpose}
        onChange={(event) => setPurpose(event.target.value)}
      />
      <TextField
        label={target.pin ? text.new_pin : text.pin}
        hint={target.pin ? text.new_pin_hint : text.pin_hint}
        inputMode="numeric"
        maxLength={8}
        disabled={removePin}
        value={pin}
        onChange={(event) => setPin(event.target.value.trim())}
        error={submitted && !pinIsValid ? text.pin_invalid : undefined}
      />
      {target.pin && (
        <ChoiceField
          label={text.remove_pin}
          checked={removePin}
          onChange={(event) => setRemovePin(event.target.checked)}
        />
      )}
      <ChoiceField
        label={text.keep_awake}
        hint={text.keep_awake_hint}
        checked={keepAwake}
        onChange={(event) => setKeepAwake(event.target.checked)}
      />
    </FormDialog>
  )
}
