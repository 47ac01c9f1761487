import { fillIn } from '@vidimus/holder-texts/fill-in'
import { may, roles, type Permission } from '@vidimus/contract/roles'
import { useOperationQuery } from '../api/queries.ts'
import { useMe } from '../shell/shell-context.ts'
import { useFormats, useLanguage, useTexts } from '../texts/texts-context.ts'
import { RoleNote } from './role-note.tsx'

const maxPeople = 3

/**
 * Says that the member's role does not include something, and who can help. It is no error: the team decided so. A permission
 * names the roles that have it; without one, owners and admins can help.
 */
export function NotForRole({
  permission = 'manage_team',
  reason,
}: {
  permission?: Permission
  /** The service's own message, in English. */
  reason?: string
}) {
  const { ui, common } = useTexts()
  const formats = useFormats()
  const [language] = useLanguage()
  const { member } = useMe()
  const team = useOperationQuery('listTeam', {})
  const text = ui.not_for_role
  const helpers = (team.data?.members ?? [])
    .filter(({ role, you }) => !you && may(role, permission))
    .slice(0, maxPeople)
  const people = helpers.map(({ name, role }) => fillIn(text.person, { name, role: common.roles[role] }))
  const helpingRoles = roles.filter((role) => may(role, permission)).map((role) => common.roles[role])
  return (
    <RoleNote title={text.title}>
      {reason !== undefined && language === 'en'
        ? reason
        : fillIn(text.text, { role: common.roles[member.role] })}{' '}
      {people.length > 0
        ? fillIn(text.who, { people: formats.or(people) })
        : fillIn(text.who_by_role, { roles: formats.and(helpingRoles) })}
    </RoleNote>
  )
}
