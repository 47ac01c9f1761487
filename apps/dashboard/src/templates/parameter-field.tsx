import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useTexts } from '../texts/texts-context.ts'
import { SelectField, TextField } from '../ui/field.tsx'
import type { GivenParameter } from './parameters.ts'

type ParameterFieldProps = {
  parameter: GivenParameter
  value: string | number
  onChange: (value: string | number) => void
}

export function ParameterField({ parameter, value, onChange }: ParameterFieldProps) {
  const text = useTexts().templates.trial
  const label = fillIn(text.parameter, { name: parameter.name })
  if (parameter.type === 'string')
    return (
      <SelectField label={label} value={value} onChange={({ target }) => onChange(target.value)}>
        {parameter.enum.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </SelectField>
    )
  const { min, max } = parameter
  return (
    <TextField
      type="number"
      label={label}
      hint={fillIn(text.parameter_range, { min, max })}
      min={min}
      max={max}
      value={value}
      onChange={({ target }) => onChange(target.value === '' ? '' : Number(target.value))}
    />
  )
}
