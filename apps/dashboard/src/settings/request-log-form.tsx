import { useState } from 'react'
import type { RequestLogSettings } from '@vidimus/contract'
import { useOperationMutation } from '../api/queries.ts'
import { useTexts } from '../texts/texts-context.ts'
import { ChoiceField } from '../ui/field.tsx'
import { SettingsForm } from '../ui/settings-form.tsx'
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
    <SettingsForm
      text={text}
      canManage={canManage}
      save={save}
      onSave={() => {
        save.mutate({ json: { enabled } }, { onSuccess: () => showToast(text.saved) })
      }}
    >
      {!settings.available && <p className="text-sm text-wait">{text.unavailable}</p>}
      <ChoiceField
        label={text.enabled}
        hint={text.hint}
        checked={enabled}
        onChange={({ target }) => setEnabled(target.checked)}
      />
    </SettingsForm>
  )
}
