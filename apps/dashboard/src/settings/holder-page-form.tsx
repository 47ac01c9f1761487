import { useState } from 'react'
import type { HolderErasure, HolderPageSettings } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { isEdited, listLanguages } from '@vidimus/holder-texts/language-codes'
import { useOperationMutation } from '../api/queries.ts'
import { useTemplates } from '../templates/template-name.tsx'
import { useLanguage, useTexts } from '../texts/texts-context.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { ChoiceField, ChoiceGroup, SelectField, TextArea } from '../ui/field.tsx'
import { SettingsForm } from '../ui/settings-form.tsx'
import { useToast } from '../ui/toast.tsx'

const erasureModes = ['off', 'ask_merchant', 'automatic'] as const satisfies readonly HolderErasure[]

/**
 * Which pages may request credentials from the browser, which links open a wallet, whether the EU age app may respond, whether the
 * QR code changes, which languages are offered, and what follows when a holder asks for an erasure.
 */
export function HolderPageForm({
  holderPage,
  erasureUrl,
  canManage,
}: {
  holderPage: HolderPageSettings
  erasureUrl: string
  canManage: boolean
}) {
  const text = useTexts().settings.holder_page
  const [language] = useLanguage()
  const [origins, setOrigins] = useState(holderPage.page_origins.join('\n'))
  const [links, setLinks] = useState(holderPage.wallet_links.join('\n'))
  const [ageApp, setAgeApp] = useState(holderPage.age_app)
  const [movingCode, setMovingCode] = useState(holderPage.moving_code)
  const [editedOnly, setEditedOnly] = useState(holderPage.edited_languages_only)
  const [erasure, setErasure] = useState(holderPage.holder_erasure)
  const [template, setTemplate] = useState(holderPage.erasure_template)
  const templates = useTemplates()
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
          holder_erasure: erasure,
          erasure_template: template,
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
      <ChoiceGroup
        legend={text.erasure}
        hint={
          <>
            {text.erasure_hint}{' '}
            <span className="inline-flex items-center gap-1">
              <code className="break-all text-ink">{erasureUrl}</code>
              <CopyButton text={erasureUrl} label={text.erasure_copy} />
            </span>
          </>
        }
      >
        {erasureModes.map((mode) => (
          <ChoiceField
            key={mode}
            kind="radio"
            name="holder_erasure"
            label={text.erasures[mode]}
            hint={text.erasure_hints[mode]}
            checked={erasure === mode}
            onChange={() => setErasure(mode)}
          />
        ))}
      </ChoiceGroup>
      {erasure !== 'off' && (
        <SelectField
          label={text.erasure_template}
          hint={text.erasure_template_hint}
          value={template ?? ''}
          onChange={({ target }) => setTemplate(target.value || null)}
        >
          <option value="">{text.erasure_template_none}</option>
          {(templates.data ?? (template === null ? [] : [{ key: template, name: template }])).map((each) => (
            <option key={each.key} value={each.key}>
              {each.name}
            </option>
          ))}
        </SelectField>
      )}
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
