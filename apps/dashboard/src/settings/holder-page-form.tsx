import { useState } from 'react'
import type { HolderPageSettings } from '@vidimus/contract'
import { useOperationMutation } from '../api/queries.ts'
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
  const [origins, setOrigins] = useState(holderPage.page_origins.join('\n'))
  const [ageApp, setAgeApp] = useState(holderPage.age_app)
  const save = useOperationMutation('changeHolderPage', ['getSettings'])
  const showToast = useToast()
  return (
    <Card title="Holder’s page" description="How holders respond in a browser. Applies at once.">
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          const json = { page_origins: readLines(origins), age_app: ageApp }
          save.mutate({ json }, { onSuccess: () => showToast('Page settings saved.') })
        }}
      >
        <fieldset disabled={!canManage} className="grid gap-5">
          <legend className="sr-only">Holder’s page</legend>
          <TextArea
            label="Allowed origins"
            hint="One per line, ten at most, such as https://shop.example. Only pages of these origins can use the browser’s credential prompt with your verifications; the hosted page always can. http://localhost works in test only."
            placeholder="https://shop.example"
            value={origins}
            onChange={({ target }) => setOrigins(target.value)}
          />
          <ChoiceField
            label="Accept the EU age-verification app"
            hint="For requests for its proof of age only. The app’s fallback is neither signed nor encrypted: anyone who can read the connection between the app and this service learns the age statement."
            checked={ageApp}
            onChange={({ target }) => setAgeApp(target.checked)}
          />
          {save.error !== null && <ErrorMessage error={save.error} inline />}
          {canManage && (
            <div>
              <Button type="submit" variant="primary" busy={save.isPending}>
                Save page settings
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
