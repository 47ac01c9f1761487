import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ArrowLeftRight, Plus, UserRound } from 'lucide-react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useTexts } from '../texts/texts-context.ts'
import { MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { PersonMenu } from './person-menu.tsx'
import { useEnvironment, useMe } from './shell-context.ts'
import { otherTenants, signOutOfAllTenants, switchTenant } from './tenants.ts'

export function AccountMenu() {
  const { shell: text, frame, common } = useTexts()
  const me = useMe()
  const { member, tenant } = me
  const environment = useEnvironment()
  const navigate = useNavigate()
  const signOut = useMutation({
    mutationFn: () => signOutOfAllTenants(me),
    onSuccess: () => location.assign('/dashboard/sign-in'),
  })
  return (
    <PersonMenu
      name={tenant.name}
      detail={`${member.name}, ${common.roles[member.role]}`}
      onSignOut={() => signOut.mutate()}
    >
      <MenuItem
        icon={<UserRound className="size-4" aria-hidden />}
        onSelect={() => void navigate({ to: '/$environment/account', params: { environment } })}
      >
        {frame.account}
      </MenuItem>
      {me.cell !== undefined && (
        <>
          <MenuSeparator />
          {otherTenants(me).map(({ cell, tenant: name }) => (
            <MenuItem
              key={cell}
              icon={<ArrowLeftRight className="size-4" aria-hidden />}
              onSelect={() => void switchTenant(cell)}
            >
              {fillIn(text.switch_to, { tenant: name })}
            </MenuItem>
          ))}
          <MenuItem
            icon={<Plus className="size-4" aria-hidden />}
            onSelect={() => location.assign(`/dashboard/sign-in?other=${me.cell}`)}
          >
            {text.other_tenant}
          </MenuItem>
        </>
      )}
    </PersonMenu>
  )
}
