import type { ReactNode } from 'react'
import { ChevronsUpDown, LogOut } from 'lucide-react'
import { languageCodes, languageNames } from '../texts/languages.ts'
import { useLanguage, useSharedTexts } from '../texts/texts-context.ts'
import { Menu, MenuItem, MenuRadioGroup, MenuSeparator } from '../ui/menu.tsx'
import { useTheme } from './theme.ts'

type PersonMenuProps = {
  name: string
  detail: string
  /** The items before the choice of theme and language. */
  children: ReactNode
  onSignOut: () => void
}

/** The menu of the person who is signed in. */
export function PersonMenu({ name, detail, children, onSignOut }: PersonMenuProps) {
  const text = useSharedTexts().frame
  const [language, chooseLanguage] = useLanguage()
  const [theme, setTheme] = useTheme()
  return (
    <Menu
      side="top"
      trigger={
        <button
          type="button"
          className="flex w-full items-center gap-3 rounded-md px-2.5 py-2 text-start text-sm hover:bg-sunken data-[state=open]:bg-sunken"
        >
          <span className="min-w-0 flex-1">
            <span className="block truncate font-semibold">{name}</span>
            <span className="block truncate text-xs text-soft">{detail}</span>
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-soft" aria-hidden />
        </button>
      }
    >
      {children}
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
        options={languageCodes.map((code) => [code, languageNames[code]])}
      />
      <MenuSeparator />
      <MenuItem icon={<LogOut className="size-4" aria-hidden />} onSelect={onSignOut}>
        {text.sign_out}
      </MenuItem>
    </Menu>
  )
}
