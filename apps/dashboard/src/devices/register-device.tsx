import { useState } from 'react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import type { OperationOutput } from '../api/call.ts'
import { useOperationQuery, useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { ChoiceGroup, SelectField, TextField, ChoiceField } from '../ui/field.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { PairDevice } from './pair-device.tsx'

const lifetimes = [
  [900, 'minutes'],
  [3600, 'hour'],
  [86_400, 'day'],
] as const
const maxTemplates = 20

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
  const templates = useOperationQuery('listTemplates', {})
  const register = useOperationMutation('registerDevice', ['listDevices'])
  const [name, setName] = useState('')
  const [allowed, setAllowed] = useState<readonly string[]>([])
  const [lifetime, setLifetime] = useState(900)
  const [submitted, setSubmitted] = useState(false)
  const toggle = (key: string) =>
    setAllowed((before) => (before.includes(key) ? before.filter((each) => each !== key) : [...before, key]))
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
      <ChoiceGroup legend={text.templates} hint={fillIn(text.templates_hint, { max: maxTemplates })}>
        {templates.error !== null && (
          <ErrorMessage error={templates.error} retry={() => void templates.refetch()} />
        )}
        <div className="max-h-60 overflow-y-auto rounded-md border border-line px-3 py-1">
          {templates.data === undefined && <Skeleton className="my-3 h-5 w-48" />}
          {templates.data?.data.map(({ key, name: title }) => (
            <ChoiceField
              key={key}
              label={title}
              hint={<code>{key}</code>}
              checked={allowed.includes(key)}
              disabled={allowed.length >= maxTemplates && !allowed.includes(key)}
              onChange={() => toggle(key)}
            />
          ))}
        </div>
        {submitted && allowed.length === 0 && (
          <p role="alert" className="text-sm text-bad">
            {text.template_missing}
          </p>
        )}
      </ChoiceGroup>
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
