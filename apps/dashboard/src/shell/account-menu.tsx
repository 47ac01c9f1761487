import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ArrowLeftRight, ChevronsUpDown, LogOut, Plus, UserRound } from 'lucide-react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { languageCodes, languages } from '../texts/languages.ts'
import { useLanguage, useTexts } from '../texts/texts-context.ts'
import { Menu, MenuRadioGroup, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { useEnvironment, useMe } from './shell-context.ts'
import { otherTenants, signOutOfAllTenants, switchTenant } from './tenants.ts'
import { useTheme } from './theme.ts'

export function AccountMenu() {
  const { shell: text, common } = useTexts()
  const [language, chooseLanguage] = useLanguage()
  const me = useMe()
  const { member, tenant } = me
  const environment = useEnvironment()
  const [theme, setTheme] = useTheme()
  const navigate = useNavigate()
  const signOut = useMutation({
    mutationFn: () => signOutOfAllTenants(me),
    onSuccess: () => location.assign('/dashboard/sign-in'),
  })
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
      <MenuItem icon={<LogOut className="size-4" aria-hidden />} onSelect={() => signOut.mutate()}>
        {text.sign_out}
      </MenuItem>
    </Menu>
  )
}
