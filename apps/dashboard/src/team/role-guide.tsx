import { roles, type Role } from '@vidimus/contract/roles'
import { Card, Fact, Facts } from '../ui/page.tsx'

export const roleDescriptions: Record<Role, string> = {
  owner: 'Everything, and the only one who makes other owners.',
  admin: 'Everything but owners: keys, secrets, settings, team, erasure.',
  developer:
    'Keys that cannot erase, templates, test verifications, webhooks, devices, and claims. No secrets, no team.',
  support: 'Verifications without their claims, resending webhooks, devices.',
  auditor: 'Reads everything but claims and secrets, and the audit log. Changes nothing.',
}

export function RoleGuide() {
  return (
    <Card title="What each role may do">
      <Facts>
        {roles.map((role) => (
          <Fact key={role} name={role.replace(/^./, (letter) => letter.toUpperCase())}>
            {roleDescriptions[role]}
          </Fact>
        ))}
      </Facts>
    </Card>
  )
}
