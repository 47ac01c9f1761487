import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown, LogOut, UserRound } from 'lucide-react'
import { useOperationMutation } from '../api/queries.ts'
import { Menu, MenuRadioGroup, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { useEnvironment, useMe } from './shell-context.ts'
import { useTheme } from './theme.ts'

export function AccountMenu() {
  const { member, tenant } = useMe()
  const environment = useEnvironment()
  const [theme, setTheme] = useTheme()
  const navigate = useNavigate()
  const signOut = useOperationMutation('signOut')
  return (
    <Menu
      side="top"
      trigger={
        <button
          type="button"
          className="flex w-full items-center gap-3 rounded-md px-2.5 py-2 text-start text-sm hover:bg-sunken data-[state=open]:bg-sunken"
        >
          <span className="min-w-0 flex-1">
            <span className="block truncate font-semibold">{tenant.name}</span>
            <span className="block truncate text-xs text-soft">
              {member.name}, {member.role}
            </span>
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-soft" aria-hidden />
        </button>
      }
    >
      <MenuItem
        icon={<UserRound className="size-4" aria-hidden />}
        onSelect={() => void navigate({ to: '/$environment/account', params: { environment } })}
      >
        Your account
      </MenuItem>
      <MenuSeparator />
      <MenuRadioGroup
        label="Theme"
        value={theme}
        onChange={setTheme}
        options={[
          ['system', 'System'],
          ['light', 'Light'],
          ['dark', 'Dark'],
        ]}
      />
      <MenuSeparator />
      <MenuItem
        icon={<LogOut className="size-4" aria-hidden />}
        onSelect={() => signOut.mutate({}, { onSuccess: () => location.assign('/dashboard/sign-in') })}
      >
        Sign out
      </MenuItem>
    </Menu>
  )
}
