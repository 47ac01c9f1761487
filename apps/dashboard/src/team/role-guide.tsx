import { roles, type Role } from '@vidimus/contract/roles'
import { Card, Fact, Facts } from '../ui/page.tsx'

export const roleLabels: Record<Role, string> = {
  owner: 'Owner',
  admin: 'Admin',
  developer: 'Developer',
  support: 'Support',
  auditor: 'Auditor',
}

export const roleDescriptions: Record<Role, string> = {
  owner: 'Everything, including assigning the owner role.',
  admin: 'Everything except managing owners: keys, secrets, settings, team, erasure.',
  developer:
    'API keys without erasure, templates, test verifications, webhooks, devices and claims. No secrets, no team.',
  support: 'Verifications without claims, resending webhooks, devices.',
  auditor: 'Read-only access to everything except claims and secrets, including the audit log.',
}

export function RoleGuide() {
  return (
    <Card title="Roles">
      <Facts>
        {roles.map((role) => (
          <Fact key={role} name={roleLabels[role]}>
            {roleDescriptions[role]}
          </Fact>
        ))}
      </Facts>
    </Card>
  )
}
