import { useState } from 'react'
import type { RegistrationEncoding, RegistrationPolicy, RegistrationSettings } from '@vidimus/contract'
import { useOperationMutation } from '../api/queries.ts'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { ChoiceField, ChoiceGroup } from '../ui/field.tsx'
import { Card } from '../ui/page.tsx'
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
    <Card title={text.title} description={text.description}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate({ json: draft }, { onSuccess: () => showToast(text.saved) })
        }}
      >
        <fieldset disabled={!canManage} className="grid gap-5">
          <legend className="sr-only">{text.title}</legend>
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
