import { useState } from 'react'
import type { RequestLogSettings } from '@vidimus/contract'
import { useOperationMutation } from '../api/queries.ts'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { ChoiceField } from '../ui/field.tsx'
import { Card } from '../ui/page.tsx'
import { useToast } from '../ui/toast.tsx'

export function RequestLogForm({
  settings,
  canManage,
}: {
  settings: RequestLogSettings
  canManage: boolean
}) {
  const text = useTexts().requests.setting
  const [enabled, setEnabled] = useState(settings.enabled)
  const save = useOperationMutation('changeRequestLog', ['getSettings', 'listRequests'])
  const showToast = useToast()
  return (
    <Card title={text.title} description={text.description}>
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate({ json: { enabled } }, { onSuccess: () => showToast(text.saved) })
        }}
      >
        <fieldset disabled={!canManage} className="grid gap-5">
          <legend className="sr-only">{text.title}</legend>
          {!settings.available && <p className="text-sm text-wait">{text.unavailable}</p>}
          <ChoiceField
            label={text.enabled}
            hint={text.hint}
            checked={enabled}
            onChange={({ target }) => setEnabled(target.checked)}
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
