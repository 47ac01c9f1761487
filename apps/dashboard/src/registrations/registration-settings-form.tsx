import { useState } from 'react'
import type { RegistrationEncoding, RegistrationPolicy, RegistrationSettings } from '@vidimus/contract'
import { useOperationMutation } from '../api/queries.ts'
import { useTexts } from '../texts/texts-context.ts'
import { ChoiceField, ChoiceGroup } from '../ui/field.tsx'
import { SettingsForm } from '../ui/settings-form.tsx'
import { useToast } from '../ui/toast.tsx'

const policies: readonly RegistrationPolicy[] = ['warn', 'refuse']
const encodings: readonly RegistrationEncoding[] = ['base64url', 'jwt']

type RegistrationSettingsFormProps = { settings: RegistrationSettings; canManage: boolean }

/** What happens to a request for more than was registered, and how requests carry the certificate. */
export function RegistrationSettingsForm({ settings, canManage }: RegistrationSettingsFormProps) {
  const text = useTexts().registrations.settings
  const [draft, setDraft] = useState(settings)
  const save = useOperationMutation('changeRegistrationSettings', ['listRegistrations', 'getRegistration'])
  const showToast = useToast()
  return (
    <SettingsForm
      text={text}
      canManage={canManage}
      save={save}
      onSave={() => {
        save.mutate({ json: draft }, { onSuccess: () => showToast(text.saved) })
      }}
    >
      <ChoiceGroup legend={text.policy}>
        {policies.map((policy) => (
          <ChoiceField
            key={policy}
            kind="radio"
            name="registration_policy"
            {...text.policies[policy]}
            checked={draft.policy === policy}
            onChange={() => setDraft({ ...draft, policy })}
          />
        ))}
      </ChoiceGroup>
      <ChoiceGroup legend={text.encoding}>
        {encodings.map((encoding) => (
          <ChoiceField
            key={encoding}
            kind="radio"
            name="registration_encoding"
            {...text.encodings[encoding]}
            checked={draft.encoding === encoding}
            onChange={() => setDraft({ ...draft, encoding })}
          />
        ))}
      </ChoiceGroup>
    </SettingsForm>
  )
}
