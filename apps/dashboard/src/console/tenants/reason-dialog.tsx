import { useState, type ReactNode } from 'react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'

/** What shows the state of a tenant. */
export const stateReads = ['getTenant', 'listTenants', 'listAttention', 'listLog'] as const

type ReasonDialogProps<Input> = {
  tenant: { id: string; name: string }
  /** With `{name}`. */
  text: { title: string; submit: string; done: string }
  description: ReactNode
  /** The field, if the reason must be given. Otherwise it may be left out. */
  needs?: { label: string; hint: string; missing: string }
  /** It is for good, so the name has to be typed. */
  forGood?: boolean
  danger?: boolean
  mutation: {
    error: Error | null
    isPending: boolean
    mutate: (input: Input, options: { onSuccess: () => void }) => void
  }
  input: (reason: string) => Input
  onClose: () => void
}

/** Changes a tenant, with the reason for the log. */
export function ReasonDialog<Input>({
  tenant: { name },
  text,
  description,
  needs,
  forGood = false,
  danger = forGood,
  mutation,
  input,
  onClose,
}: ReasonDialogProps<Input>) {
  const { tenant: page, reason: optional } = useConsoleTexts()
  const showToast = useToast()
  const [reason, setReason] = useState('')
  const [typedName, setTypedName] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const reasonMissing = needs !== undefined && reason.trim() === ''
  const nameDiffers = forGood && typedName.trim() !== name
  return (
    <FormDialog
      open
      persistent
      onClose={onClose}
      title={fillIn(text.title, { name })}
      description={description}
      submit={text.submit}
      {...(danger && { variant: 'danger' as const })}
      {...(forGood && { note: page.suspend.asks_for_passkey })}
      busy={mutation.isPending}
      error={mutation.error}
      onSubmit={() => {
        setSubmitted(true)
        if (reasonMissing || nameDiffers) return
        mutation.mutate(input(reason.trim()), {
          onSuccess: () => (showToast(fillIn(text.done, { name })), onClose()),
        })
      }}
    >
      <TextField
        label={needs?.label ?? optional.label}
        hint={needs?.hint ?? optional.hint}
        maxLength={500}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        error={submitted && reasonMissing ? needs?.missing : undefined}
      />
      {forGood && (
        <TextField
          label={fillIn(page.suspend.type_name, { name })}
          value={typedName}
          onChange={({ target }) => setTypedName(target.value)}
          error={submitted && nameDiffers ? page.suspend.name_differs : undefined}
        />
      )}
    </FormDialog>
  )
}
