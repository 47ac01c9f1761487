import { useState } from 'react'
import type { HolderPageSettings } from '@vidimus/contract'
import { useOperationMutation } from '../api/queries.ts'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { ChoiceField, TextArea } from '../ui/field.tsx'
import { Card } from '../ui/page.tsx'
import { useToast } from '../ui/toast.tsx'

/** Which pages may request credentials from the browser, and whether the EU age app may respond. */
export function HolderPageForm({
  holderPage,
  canManage,
}: {
  holderPage: HolderPageSettings
  canManage: boolean
}) {
  const text = useTexts().settings.holder_page
  const [origins, setOrigins] = useState(holderPage.page_origins.join('\n'))
  const [ageApp, setAgeApp] = useState(holderPage.age_app)
  const save = useOperationMutation('changeHolderPage', ['getSettings'])
  const showToast = useToast()
  return (
    <Card title={text.title} description={text.description}>
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          const json = { page_origins: readLines(origins), age_app: ageApp }
          save.mutate({ json }, { onSuccess: () => showToast(text.saved) })
        }}
      >
        <fieldset disabled={!canManage} className="grid gap-5">
          <legend className="sr-only">{text.title}</legend>
          <TextArea
            label={text.origins}
            hint={text.origins_hint}
            placeholder="https://shop.example"
            value={origins}
            onChange={({ target }) => setOrigins(target.value)}
          />
          <ChoiceField
            label={text.age_app}
            hint={text.age_app_hint}
            checked={ageApp}
            onChange={({ target }) => setAgeApp(target.checked)}
          />
          {save.error !== null && <ErrorMessage error={save.error} inline />}
          {canManage && (
            <div>
              <Button type="submit" variant="primary" busy={save.isPending}>
                {text.save}
              </Button>
            </div>
          )}
        </fieldset>
      </form>
    </Card>
  )
}

function readLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
