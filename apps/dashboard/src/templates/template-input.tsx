import { useState } from 'react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useTexts } from '../texts/texts-context.ts'
import { TextField } from '../ui/field.tsx'
import type { Template } from './compose.ts'
import { ParameterField } from './parameter-field.tsx'
import { initialValue, listCompared, listGivenParameters } from './parameters.ts'

export type TemplateInput = ReturnType<typeof useTemplateInput>

/** What a creation gives with a template: values for its parameters, and what it compares. `given` is as it is sent. */
export function useTemplateInput(template: Template) {
  const [values, setValues] = useState<Record<string, string | number>>({})
  const [expected, setExpected] = useState<Record<string, string>>({})
  const parameters = listGivenParameters(template).map((parameter) => ({
    parameter,
    value: values[parameter.name] ?? initialValue(parameter),
    set: (value: string | number) => setValues({ ...values, [parameter.name]: value }),
  }))
  const compared = listCompared(template).map((name) => ({
    name,
    value: expected[name] ?? '',
    set: (value: string) => setExpected({ ...expected, [name]: value }),
  }))
  const given = {
    ...(parameters.length > 0 && {
      parameters: Object.fromEntries(parameters.map(({ parameter, value }) => [parameter.name, value])),
    }),
    ...(compared.length > 0 && {
      expected: Object.fromEntries(compared.map(({ name, value }) => [name, value])),
    }),
  }
  return { parameters, compared, given }
}

export function TemplateInputFields({ input: { parameters, compared } }: { input: TemplateInput }) {
  const text = useTexts().templates.trial
  return (
    <>
      {parameters.map(({ parameter, value, set }) => (
        <ParameterField key={parameter.name} parameter={parameter} value={value} onChange={set} />
      ))}
      {compared.map(({ name, value, set }) => (
        <TextField
          key={name}
          label={fillIn(text.expected, { name })}
          maxLength={200}
          value={value}
          onChange={({ target }) => set(target.value)}
        />
      ))}
    </>
  )
}
