import { roles } from '@vidimus/contract/roles'
import { useTexts } from '../texts/texts-context.ts'
import { Card, Fact, Facts } from '../ui/page.tsx'

export function RoleGuide() {
  const { team: text, common } = useTexts()
  return (
    <Card title={text.roles}>
      <Facts>
        {roles.map((role) => (
          <Fact key={role} name={common.roles[role]}>
            {text.role_descriptions[role]}
          </Fact>
        ))}
      </Facts>
    </Card>
  )
}
