import { useState } from 'react'
import type { HolderPageSettings } from '@vidimus/contract'
import { useOperationMutation } from '../api/queries.ts'
import { useTexts } from '../texts/texts-context.ts'
import { ChoiceField, TextArea } from '../ui/field.tsx'
import { SettingsForm } from '../ui/settings-form.tsx'
import { useToast } from '../ui/toast.tsx'

/**
 * Which pages may request credentials from the browser, which links open a wallet, whether the EU age app may respond, and whether the
 * QR code changes.
 */
export function HolderPageForm({
  holderPage,
  canManage,
}: {
  holderPage: HolderPageSettings
  canManage: boolean
}) {
  const text = useTexts().settings.holder_page
  const [origins, setOrigins] = useState(holderPage.page_origins.join('\n'))
  const [links, setLinks] = useState(holderPage.wallet_links.join('\n'))
  const [ageApp, setAgeApp] = useState(holderPage.age_app)
  const [movingCode, setMovingCode] = useState(holderPage.moving_code)
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
    </SettingsForm>
  )
}

function readLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
