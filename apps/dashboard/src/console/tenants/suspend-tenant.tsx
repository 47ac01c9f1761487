import { useRef, useState } from 'react'
import { Check, X } from 'lucide-react'
import type { OperatorTenantDetail } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { FormDialog } from '../../ui/dialog.tsx'
import { ChoiceField, TextArea, TextField } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useOperationMutation } from '../api.ts'
import { useConsoleTexts } from '../texts/console-texts.ts'
import { stateReads } from './reason-dialog.tsx'

/** Suspends a tenant: what stops and what goes on, the reason that it reads, and its name typed, so that nobody suspends another. */
export function SuspendTenant({ tenant, onClose }: { tenant: OperatorTenantDetail; onClose: () => void }) {
  const text = useConsoleTexts().tenant.suspend
  const showToast = useToast()
  const reasonField = useRef<HTMLTextAreaElement>(null)
  const [reason, setReason] = useState('')
  const [endOpen, setEndOpen] = useState(false)
  const [typedName, setTypedName] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const suspend = useOperationMutation('suspendTenant', stateReads)
  const reasonMissing = reason.trim() === ''
  const nameDiffers = typedName.trim() !== tenant.name
  return (
    <FormDialog
      open
      persistent
      wide
      initialFocus={reasonField}
      onClose={onClose}
      title={fillIn(text.title, { name: tenant.name })}
      submit={text.submit}
      variant="danger"
      note={text.asks_for_passkey}
      busy={suspend.isPending}
      error={suspend.error}
      onSubmit={() => {
        setSubmitted(true)
        if (reasonMissing || nameDiffers) return
        suspend.mutate(
          { params: { id: tenant.id }, json: { reason: reason.trim(), end_open: endOpen } },
          { onSuccess: () => (showToast(fillIn(text.done, { name: tenant.name })), onClose()) },
        )
      }}
    >
      <div className="grid gap-x-5 gap-y-3 rounded-md bg-sunken p-4 text-sm sm:grid-cols-2">
        <Effects title={text.stops} effects={[...text.stopped, ...(endOpen ? [text.open_end] : [])]} stop />
        <Effects title={text.goes_on} effects={[...text.going_on, ...(endOpen ? [] : [text.open_stay])]} />
      </div>
      <TextArea
        ref={reasonField}
        label={text.reason}
        hint={text.reason_hint}
        rows={3}
        spellCheck
        className="font-sans"
        maxLength={500}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        error={submitted && reasonMissing ? text.reason_missing : undefined}
      />
      <ChoiceField
        label={text.end_open}
        hint={text.end_open_hint}
        checked={endOpen}
        onChange={({ target }) => setEndOpen(target.checked)}
      />
      <TextField
        label={fillIn(text.type_name, { name: tenant.name })}
        value={typedName}
        onChange={({ target }) => setTypedName(target.value)}
        error={submitted && nameDiffers ? text.name_differs : undefined}
      />
    </FormDialog>
  )
}

type EffectsProps = { title: string; effects: readonly string[]; stop?: boolean }

function Effects({ title, effects, stop = false }: EffectsProps) {
  const Icon = stop ? X : Check
  return (
    <div>
      <h3 className="mb-1 text-xs font-semibold text-soft">{title}</h3>
      <ul className="grid gap-0.5">
        {effects.map((effect) => (
          <li key={effect} className="flex gap-2">
            <Icon className={`mt-0.5 size-4 shrink-0 ${stop ? 'text-bad' : 'text-good'}`} aria-hidden />
            {effect}
          </li>
        ))}
      </ul>
    </div>
  )
}
