import { roles, type Role } from '@vidimus/contract/roles'
import { useMe } from '../shell/shell-context.ts'
import { ChoiceGroup, ChoiceField } from '../ui/field.tsx'
import { roleDescriptions, roleLabels } from './role-guide.tsx'

/** The roles that the member may assign: only an owner can assign owner. */
export function ChooseRole({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const { member } = useMe()
  return (
    <ChoiceGroup legend="Role">
      {roles
        .filter((role) => role !== 'owner' || member.role === 'owner')
        .map((role) => (
          <ChoiceField
            key={role}
            kind="radio"
            name="role"
            label={roleLabels[role]}
            hint={roleDescriptions[role]}
            checked={value === role}
            onChange={() => onChange(role)}
          />
        ))}
    </ChoiceGroup>
  )
}
