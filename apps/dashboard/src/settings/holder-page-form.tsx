import { useState } from 'react'
import type { HolderPageSettings } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { isEdited, listLanguages } from '@vidimus/holder-texts/language-codes'
import { useOperationMutation } from '../api/queries.ts'
import { useLanguage, useTexts } from '../texts/texts-context.ts'
import { ChoiceField, TextArea } from '../ui/field.tsx'
import { SettingsForm } from '../ui/settings-form.tsx'
import { useToast } from '../ui/toast.tsx'

/**
 * Which pages may request credentials from the browser, which links open a wallet, whether the EU age app may respond, whether the
 * QR code changes, and which languages are offered.
 */
export function HolderPageForm({
  holderPage,
  canManage,
}: {
  holderPage: HolderPageSettings
  canManage: boolean
}) {
  const text = useTexts().settings.holder_page
  const [language] = useLanguage()
  const [origins, setOrigins] = useState(holderPage.page_origins.join('\n'))
  const [links, setLinks] = useState(holderPage.wallet_links.join('\n'))
  const [ageApp, setAgeApp] = useState(holderPage.age_app)
  const [movingCode, setMovingCode] = useState(holderPage.moving_code)
  const [editedOnly, setEditedOnly] = useState(holderPage.edited_languages_only)
  const save = useOperationMutation('changeHolderPage', ['getSettings'])
  const showToast = useToast()
  return (
    <SettingsForm
      text={text}
      canManage={canManage}
      save={save}
      onSave={() => {
        const json = {
          page_origins: readLines(origins),
          wallet_links: readLines(links),
          age_app: ageApp,
          moving_code: movingCode,
          edited_languages_only: editedOnly,
        }
        save.mutate({ json }, { onSuccess: () => showToast(text.saved) })
      }}
    >
      <TextArea
        label={text.origins}
        hint={text.origins_hint}
        placeholder="https://shop.example"
        value={origins}
        onChange={({ target }) => setOrigins(target.value)}
      />
      <TextArea
        label={text.links}
        hint={text.links_hint}
        value={links}
        onChange={({ target }) => setLinks(target.value)}
      />
      <ChoiceField
        label={text.age_app}
        hint={text.age_app_hint}
        checked={ageApp}
        onChange={({ target }) => setAgeApp(target.checked)}
      />
      <ChoiceField
        label={text.moving_code}
        hint={text.moving_code_hint}
        checked={movingCode}
        onChange={({ target }) => setMovingCode(target.checked)}
      />
      <ChoiceField
        label={text.edited_languages}
        hint={fillIn(text.edited_languages_hint, { languages: nameTranslated(language) })}
        checked={editedOnly}
        onChange={({ target }) => setEditedOnly(target.checked)}
      />
    </SettingsForm>
  )
}

/** The languages that are machine translations, as the dashboard's language calls them. */
function nameTranslated(language: string): string {
  const names = new Intl.DisplayNames([language], { type: 'language' })
  const translated = listLanguages().flatMap((code) => (isEdited(code) ? [] : (names.of(code) ?? code)))
  return new Intl.ListFormat(language).format(translated.toSorted((a, b) => a.localeCompare(b, language)))
}

function readLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
