import { operatorMay, operatorRoles, type OperatorPermission } from '@vidimus/contract/operator-roles'
import type { ReactNode } from 'react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useFormats, useLanguage } from '../../texts/texts-context.ts'
import { Page } from '../../ui/page.tsx'
import { RoleNote } from '../../ui/role-note.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'
import { useOperator, usePermission } from './console-context.ts'

/** Says that the operator's role does not include something, and which roles do. */
export function NotForRole({
  permission = 'manage_operators',
  reason,
}: {
  permission?: OperatorPermission
  /** The service's own message, in English. */
  reason?: string
}) {
  const { ui, shell } = useConsoleTexts()
  const formats = useFormats()
  const [language] = useLanguage()
  const { operator } = useOperator()
  const helpingRoles = operatorRoles
    .filter((role) => operatorMay(role, permission))
    .map((role) => shell.roles[role])
  return (
    <RoleNote title={ui.not_for_role.title}>
      {language === 'en' && reason !== undefined
        ? reason
        : fillIn(ui.not_for_role.text, { role: shell.roles[operator.role] })}{' '}
      {reason === undefined && fillIn(shell.who_by_role, { roles: formats.or(helpingRoles) })}
      {reason !== undefined && language !== 'en' && <span lang="en">{reason}</span>}
    </RoleNote>
  )
}

/** A page for the roles with a permission. The others read that it is not for them. */
export function PageForRole({
  permission,
  text,
  children,
}: {
  permission: OperatorPermission
  text: { title: string; description: string }
  children: ReactNode
}) {
  if (usePermission(permission)) return children
  return (
    <Page title={text.title} description={text.description}>
      <NotForRole permission={permission} />
    </Page>
  )
}
