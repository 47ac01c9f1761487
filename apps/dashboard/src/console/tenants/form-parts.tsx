import { TextField } from '../../ui/field.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'

export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/u.test(text.trim())
}

/** The texts that were filled in, without spaces around them. */
export function omitEmpty<Name extends string>(texts: Record<Name, string>): { [Key in Name]?: string } {
  const given = Object.entries<string>(texts).map(([name, text]) => [name, text.trim()] as const)
  return Object.fromEntries(given.filter(([, text]) => text !== '')) as { [Key in Name]?: string } // of these names
}

type ReasonFieldProps = {
  value: string
  onChange: (reason: string) => void
}

/** Why an operator does something, for the installation's log. */
export function ReasonField({ value, onChange }: ReasonFieldProps) {
  const text = useConsoleTexts().reason
  return (
    <TextField
      label={text.label}
      hint={text.hint}
      maxLength={500}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
