import { useState } from 'react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useTexts } from '../texts/texts-context.ts'
import { ChoiceField, ChoiceGroup, SelectField, TextField } from '../ui/field.tsx'
import { vocabulary } from './catalogue.ts'
import type { Draft } from './compose.ts'
import { kindOfCondition, listConditions, newConditions, type Condition } from './conditions.ts'

export type PartProps = { draft: Draft; set: (change: Partial<Draft>) => void }

/** What each requested claim must be: a tick if there is one condition to choose, otherwise a list and its values. */
export function ConditionChoices({ draft, set }: PartProps) {
  const { form: text, claims: titles } = useTexts().templates
  const selectableClaims = vocabulary.filter(({ name }) => draft.claims.includes(name))
  const ages = draft.claims.some((claim) => claim.startsWith('age_over_'))
  const setCondition = (name: string, condition: Condition | undefined) => {
    const { [name]: _, ...others } = draft.must
    set({ must: { ...others, ...(condition !== undefined && { [name]: condition }) } })
  }
  return (
    <ChoiceGroup legend={text.required_values}>
      {selectableClaims.length === 0 && <p className="text-sm text-soft">{text.select_claim}</p>}
      {selectableClaims.map(({ name }) => {
        const [usual = 'not_empty', ...others] = listConditions(name)
        return others.length > 0 ? (
          <ConditionField
            key={name}
            claim={name}
            condition={draft.must[name]}
            onChange={(condition) => setCondition(name, condition)}
          />
        ) : (
          <ChoiceField
            key={name}
            label={fillIn(usual === 'equals' ? text.must_be : text.must_not_be_empty, {
              claim: titles[name],
            })}
            checked={draft.must[name] !== undefined}
            onChange={() =>
              setCondition(name, draft.must[name] === undefined ? newConditions[usual] : undefined)
            }
          />
        )
      })}
      {ages && (
        <ChoiceField
          label={text.derive}
          hint={text.derive_hint}
          checked={draft.derive}
          onChange={() => set({ derive: !draft.derive })}
        />
      )}
    </ChoiceGroup>
  )
}

type ConditionFieldProps = {
  claim: (typeof vocabulary)[number]['name']
  condition: Condition | undefined
  onChange: (condition: Condition | undefined) => void
}

function ConditionField({ claim, condition, onChange }: ConditionFieldProps) {
  const { form: text, claims: titles } = useTexts().templates
  const kind = condition === undefined ? 'any' : kindOfCondition(condition)
  return (
    <div className="grid gap-3 py-1.5 sm:grid-cols-2">
      <SelectField
        label={titles[claim]}
        value={kind}
        onChange={({ target }) => {
          const chosen = listConditions(claim).find((each) => each === target.value)
          onChange(chosen && newConditions[chosen])
        }}
      >
        {(['any', ...listConditions(claim)] as const).map((each) => (
          <option key={each} value={each}>
            {text.condition_kinds[each]}
          </option>
        ))}
      </SelectField>
      {condition !== undefined && 'in' in condition && (
        <AcceptedValues claim={titles[claim]} values={condition.in} onChange={onChange} />
      )}
      {kind === 'compare' && <p className="self-end text-sm text-soft">{text.compare_hint}</p>}
      {condition !== undefined && isRange(condition) && (
        <DateRange claim={titles[claim]} range={condition} onChange={onChange} />
      )}
    </div>
  )
}

function isRange(condition: Condition): condition is { min?: string; max?: string } {
  return kindOfCondition(condition) === 'range'
}

type ValuesProps = { claim: string; onChange: (condition: Condition) => void }

function AcceptedValues({ claim, values, onChange }: ValuesProps & { values: readonly string[] }) {
  const text = useTexts().templates.form
  /** As typed: a comma at the end begins the next value. */
  const [typed, setTyped] = useState(values.join(', '))
  return (
    <TextField
      label={fillIn(text.accepted_values, { claim })}
      hint={text.accepted_values_hint}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange({
          in: target.value
            .split(',')
            .map((value) => value.trim())
            .filter(Boolean),
        })
      }}
    />
  )
}

function DateRange({ claim, range, onChange }: ValuesProps & { range: { min?: string; max?: string } }) {
  const text = useTexts().templates.form
  const setBound = (bound: 'min' | 'max', value: string) => {
    const { [bound]: _, ...other } = range
    onChange({ ...other, ...(value !== '' && { [bound]: value }) })
  }
  return (
    <div className="grid grid-cols-2 gap-3">
      {(['min', 'max'] as const).map((bound) => (
        <TextField
          key={bound}
          type="date"
          label={fillIn(text.bounds[bound], { claim })}
          value={range[bound] ?? ''}
          onChange={({ target }) => setBound(bound, target.value)}
        />
      ))}
    </div>
  )
}
