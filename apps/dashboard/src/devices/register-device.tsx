import { useState } from 'react'
import type { OperationOutput } from '../api/call.ts'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { PairDevice } from './pair-device.tsx'
import { TemplateChoices } from './template-choices.tsx'

const lifetimes = [
  [900, 'minutes'],
  [3600, 'hour'],
  [86_400, 'day'],
] as const

export function RegisterDevice({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [offer, setOffer] = useState<OperationOutput<'registerDevice'>>()
  if (offer !== undefined)
    return <PairDevice offer={offer} onClose={() => (setOffer(undefined), onClose())} />
  return open ? <RegistrationForm onClose={onClose} onOffer={setOffer} /> : null
}

function RegistrationForm({
  onClose,
  onOffer,
}: {
  onClose: () => void
  onOffer: (offer: OperationOutput<'registerDevice'>) => void
}) {
  const { devices, common } = useTexts()
  const text = devices.form
  const environment = useEnvironment()
  const register = useOperationMutation('registerDevice', ['listDevices'])
  const [name, setName] = useState('')
  const [allowed, setAllowed] = useState<readonly string[]>([])
  const [lifetime, setLifetime] = useState(900)
  const [submitted, setSubmitted] = useState(false)
  const submit = () => {
    setSubmitted(true)
    if (name.trim() === '' || allowed.length === 0) return
    const json = { name: name.trim(), allowed_templates: [...allowed], pairing_ttl_seconds: lifetime }
    register.mutate({ params: { environment }, json }, { onSuccess: onOffer })
  }
  return (
    <FormDialog
      open
      persistent
      onClose={onClose}
      title={text.title}
      submit={text.submit}
      onSubmit={submit}
      busy={register.isPending}
      error={register.error}
    >
      <TextField
        label={common.name}
        hint={text.name_hint}
        maxLength={64}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={submitted && name.trim() === '' ? text.name_missing : undefined}
      />
      <TemplateChoices allowed={allowed} onChange={setAllowed} missing={submitted && allowed.length === 0} />
      <SelectField
        label={text.lifetime}
        value={lifetime}
        onChange={(event) => setLifetime(Number(event.target.value))}
      >
        {lifetimes.map(([seconds, lifetimeName]) => (
          <option key={seconds} value={seconds}>
            {text.lifetimes[lifetimeName]}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  )
}
