import { useState, type ReactNode } from 'react'
import { FormDialog } from './dialog.tsx'
import { TextField } from './field.tsx'

type NamedForm = ReturnType<typeof useNamedForm>

/** The state of a form for something that has a name and perhaps a purpose. `name` and `purpose` are as they are sent. */
export function useNamedForm(edited: { name: string; purpose?: string | undefined } | undefined) {
  const [name, setName] = useState(edited?.name ?? '')
  const [purpose, setPurpose] = useState(edited?.purpose ?? '')
  const [submitted, setSubmitted] = useState(false)
  return {
    name: name.trim(),
    purpose: purpose.trim(),
    submitted,
    typed: { name, purpose },
    setName,
    setPurpose,
    setSubmitted,
  }
}

type NamedFormDialogProps = {
  form: NamedForm
  text: { name_hint: string; name_missing: string; purpose: string; purpose_hint: string }
  nameLabel: string
  title: string
  submit: string
  requests: readonly { isPending: boolean; error: Error | null }[]
  onClose: () => void
  /** Called once there is a name. */
  onSubmit: () => void
  /** What it asks for, between its name and its purpose. */
  asked: ReactNode
  children: ReactNode
}

/** The dialog that creates such a thing, or edits it. */
export function NamedFormDialog({
  form,
  text,
  nameLabel,
  requests,
  onSubmit,
  asked,
  children,
  ...dialog
}: NamedFormDialogProps) {
  return (
    <FormDialog
      {...dialog}
      open
      persistent
      onSubmit={() => {
        form.setSubmitted(true)
        if (form.name !== '') onSubmit()
      }}
      busy={requests.some(({ isPending }) => isPending)}
      error={requests.find(({ error }) => error !== null)?.error ?? null}
    >
      <TextField
        label={nameLabel}
        hint={text.name_hint}
        maxLength={80}
        value={form.typed.name}
        onChange={({ target }) => form.setName(target.value)}
        error={form.submitted && form.name === '' ? text.name_missing : undefined}
      />
      {asked}
      <TextField
        label={text.purpose}
        hint={text.purpose_hint}
        maxLength={300}
        value={form.typed.purpose}
        onChange={({ target }) => form.setPurpose(target.value)}
      />
      {children}
    </FormDialog>
  )
}
