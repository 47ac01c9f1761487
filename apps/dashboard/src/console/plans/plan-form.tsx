import { useState } from 'react'
import type { OperatorPlan } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { FormDialog } from '../../ui/dialog.tsx'
import { ChoiceField, TextField } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useOperationMutation } from '../api.ts'
import { omitEmpty, ReasonField } from '../tenants/form-parts.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'
import { readCount, valueNames } from './plan-values.ts'

type PlanFormProps = {
  /** Undefined for a new one. */
  plan: OperatorPlan | undefined
  /** Whose values the form starts with. */
  template: OperatorPlan
  onClose: () => void
}

export function PlanForm({ plan, template, onClose }: PlanFormProps) {
  const { plans: text } = useConsoleTexts()
  const showToast = useToast()
  const [name, setName] = useState(plan?.name ?? '')
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(valueNames.map((each) => [each, String(template[each])])),
  )
  const [byDefault, setByDefault] = useState(plan?.by_default ?? false)
  const [reason, setReason] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const save = useOperationMutation('setPlan', ['listPlans', 'listTenants', 'getTenant', 'listLog'])
  const nameIsValid = /^[a-z][a-z0-9_-]{0,31}$/.test(name.trim())
  const counts = Object.fromEntries(valueNames.map((each) => [each, readCount(values[each] ?? '')] as const))
  const isValid = nameIsValid && valueNames.every((each) => counts[each] !== undefined)
  return (
    <FormDialog
      open
      persistent
      wide
      onClose={onClose}
      title={plan === undefined ? text.create : fillIn(text.edit.title, { name: plan.name })}
      description={plan === undefined ? undefined : text.edit.description}
      submit={text.save}
      busy={save.isPending}
      error={save.error}
      onSubmit={() => {
        setSubmitted(true)
        if (!isValid) return
        save.mutate(
          {
            params: { name: name.trim() },
            json: { ...counts, ...(byDefault && { by_default: true }), ...omitEmpty({ reason }) },
          },
          { onSuccess: () => (showToast(fillIn(text.saved, { name: name.trim() })), onClose()) },
        )
      }}
    >
      {plan === undefined && (
        <TextField
          label={text.name}
          hint={text.name_hint}
          maxLength={32}
          value={name}
          onChange={({ target }) => setName(target.value)}
          error={submitted && !nameIsValid ? text.name_invalid : undefined}
        />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        {valueNames.map((each) => (
          <TextField
            key={each}
            label={text.values[each]}
            inputMode="numeric"
            maxLength={9}
            value={values[each] ?? ''}
            onChange={({ target }) => setValues({ ...values, [each]: target.value })}
            error={submitted && counts[each] === undefined ? text.value_invalid : undefined}
          />
        ))}
      </div>
      <ChoiceField
        label={text.make_default}
        hint={text.make_default_hint}
        disabled={plan?.by_default === true}
        checked={byDefault}
        onChange={({ target }) => setByDefault(target.checked)}
      />
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  )
}
