import { roles, type Role } from '@vidimus/contract/roles'
import { useMe } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { ChoiceGroup, ChoiceField } from '../ui/field.tsx'

/** The roles that the member may assign: only an owner can assign owner. */
export function ChooseRole({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const { team: text, common } = useTexts()
  const { member } = useMe()
  return (
    <ChoiceGroup legend={text.role}>
      {roles
        .filter((role) => role !== 'owner' || member.role === 'owner')
        .map((role) => (
          <ChoiceField
            key={role}
            kind="radio"
            name="role"
            label={common.roles[role]}
            hint={text.role_descriptions[role]}
            checked={value === role}
            onChange={() => onChange(role)}
          />
        ))}
    </ChoiceGroup>
  )
}
