import { operatorRoles, type OperatorRole } from '@vidimus/contract/operator-roles'
import { ChoiceField, ChoiceGroup } from '../../ui/field.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'

type ChooseRoleProps = {
  value: OperatorRole
  onChange: (role: OperatorRole) => void
  /** All of them, unless given. */
  offered?: readonly OperatorRole[]
}

export function ChooseRole({ value, onChange, offered = operatorRoles }: ChooseRoleProps) {
  const { operators: text, shell } = useConsoleTexts()
  return (
    <ChoiceGroup legend={text.role}>
      {offered.map((role) => (
        <ChoiceField
          key={role}
          kind="radio"
          name="role"
          label={shell.roles[role]}
          hint={text.role_descriptions[role]}
          checked={value === role}
          onChange={() => onChange(role)}
        />
      ))}
    </ChoiceGroup>
  )
}
