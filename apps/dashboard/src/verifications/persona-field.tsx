import { useOperationQuery } from '../api/queries.ts'
import { useTexts } from '../texts/texts-context.ts'
import { ErrorMessage } from '../ui/error-message.tsx'
import { SelectField } from '../ui/field.tsx'

type PersonaFieldProps = {
  value: string
  onChange: (persona: string) => void
  /** Offers to choose no persona, with this hint. */
  noneHint?: string
}

/** Chooses the sandbox persona that responds. */
export function PersonaField({ value, onChange, noneHint }: PersonaFieldProps) {
  const text = useTexts().verifications.create
  const personas = useOperationQuery('listPersonas', {})
  const description = personas.data?.data.find(({ name }) => name === value)?.description
  if (personas.error !== null)
    return <ErrorMessage error={personas.error} retry={() => void personas.refetch()} />
  return (
    <SelectField
      label={text.persona}
      hint={value === '' ? noneHint : description}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {personas.data?.data.map(({ name }) => (
        <option key={name} value={name}>
          {name.replaceAll('_', ' ')}
        </option>
      ))}
      {noneHint !== undefined && <option value="">{text.no_persona}</option>}
    </SelectField>
  )
}
