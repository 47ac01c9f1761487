import { useState } from 'react'
import type { PolicySettings } from '@vidimus/contract'
import { useOperationMutation } from '../api/queries.ts'
import { useTexts } from '../texts/texts-context.ts'
import { ChoiceGroup, TextField, ChoiceField, SelectField } from '../ui/field.tsx'
import { SettingsForm } from '../ui/settings-form.tsx'
import { useToast } from '../ui/toast.tsx'

const maxAttempts = 5

export function PoliciesForm({ policies, canManage }: { policies: PolicySettings; canManage: boolean }) {
  const text = useTexts().settings.results
  const [draft, setDraft] = useState(policies)
  const [days, setDays] = useState(String(policies.retention_days))
  const save = useOperationMutation('changePolicies', ['getSettings'])
  const showToast = useToast()
  const daysAreValid = /^\d{1,3}$/.test(days) && Number(days) >= 1 && Number(days) <= 365
  return (
    <SettingsForm
      text={text}
      canManage={canManage}
      save={save}
      onSave={() => {
        if (!daysAreValid) return
        const json = { ...draft, retention_days: Number(days) }
        save.mutate({ json }, { onSuccess: () => showToast(text.saved) })
      }}
    >
      <div className="max-w-52">
        <TextField
          label={text.days}
          inputMode="numeric"
          value={days}
          onChange={({ target }) => setDays(target.value.trim())}
          error={daysAreValid ? undefined : text.days_invalid}
        />
      </div>
      <ChoiceField
        label={text.delete_on_delivery}
        hint={text.delete_on_delivery_hint}
        checked={draft.forget_on_delivery}
        onChange={({ target }) => setDraft({ ...draft, forget_on_delivery: target.checked })}
      />
      <ChoiceField
        label={text.withhold}
        hint={text.withhold_hint}
        checked={draft.hold_back}
        onChange={({ target }) => setDraft({ ...draft, hold_back: target.checked })}
      />
      <ChoiceField
        label={text.strict_queries}
        hint={text.strict_queries_hint}
        checked={draft.strict_queries}
        onChange={({ target }) => setDraft({ ...draft, strict_queries: target.checked })}
      />
      <div className="max-w-md">
        <SelectField
          label={text.attempts}
          hint={text.attempts_hint}
          value={draft.max_attempts}
          onChange={({ target }) => setDraft({ ...draft, max_attempts: Number(target.value) })}
        >
          {Array.from({ length: maxAttempts }, (_, index) => (
            <option key={index}>{index + 1}</option>
          ))}
        </SelectField>
      </div>
      <div className="max-w-xs">
        <SelectField
          label={text.time_zone}
          hint={text.time_zone_hint}
          value={draft.time_zone}
          onChange={({ target }) => setDraft({ ...draft, time_zone: target.value })}
        >
          {listTimeZones(policies.time_zone).map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </SelectField>
      </div>
      <ChoiceGroup legend={text.status_unavailable}>
        <ChoiceField
          kind="radio"
          name="status_unavailable"
          label={text.fail}
          hint={text.fail_hint}
          checked={draft.status_unavailable === 'fail'}
          onChange={() => setDraft({ ...draft, status_unavailable: 'fail' })}
        />
        <ChoiceField
          kind="radio"
          name="status_unavailable"
          label={text.warn}
          hint={text.warn_hint}
          checked={draft.status_unavailable === 'warning'}
          onChange={() => setDraft({ ...draft, status_unavailable: 'warning' })}
        />
      </ChoiceGroup>
    </SettingsForm>
  )
}

/** The zones that the browser knows, UTC, and the one that is set, which may have another name here. */
function listTimeZones(current: string): string[] {
  return [...new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])]
}
