import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown, LogOut, UserRound } from 'lucide-react'
import { useOperationMutation } from '../api/queries.ts'
import { languageCodes, languages } from '../texts/languages.ts'
import { useLanguage, useTexts } from '../texts/texts-context.ts'
import { Menu, MenuRadioGroup, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { useEnvironment, useMe } from './shell-context.ts'
import { useTheme } from './theme.ts'

export function AccountMenu() {
  const { shell: text, common } = useTexts()
  const [language, chooseLanguage] = useLanguage()
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
              {member.name}, {common.roles[member.role]}
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
        {text.account}
      </MenuItem>
      <MenuSeparator />
      <MenuRadioGroup
        label={text.theme}
        value={theme}
        onChange={setTheme}
        options={[
          ['system', text.themes.system],
          ['light', text.themes.light],
          ['dark', text.themes.dark],
        ]}
      />
      <MenuSeparator />
      <MenuRadioGroup
        label={text.language}
        value={language}
        onChange={chooseLanguage}
        options={languageCodes.map((code) => [code, languages[code].name])}
      />
      <MenuSeparator />
      <MenuItem
        icon={<LogOut className="size-4" aria-hidden />}
        onSelect={() => signOut.mutate({}, { onSuccess: () => location.assign('/dashboard/sign-in') })}
      >
        {text.sign_out}
      </MenuItem>
    </Menu>
  )
}
