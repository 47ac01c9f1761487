import { useState } from 'react'
import type { TemplateDetail } from '@vidimus/contract'
import { useOperationMutation } from '../api/queries.ts'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { useToast } from '../ui/toast.tsx'
import { RegistrationChoice } from './registration-choice.tsx'

type TemplateRegistrationProps = {
  detail: Pick<TemplateDetail, 'key' | 'template' | 'registration'>
  canManage: boolean
}

/** The registration of a template that cannot be edited otherwise. */
export function TemplateRegistration({ detail, canManage }: TemplateRegistrationProps) {
  const { key, template, registration } = detail
  const text = useTexts().registrations.template
  const [chosen, setChosen] = useState(() => namedRegistration(registration))
  const assign = useOperationMutation('assignRegistration', [
    'getTemplate',
    'listRegistrations',
    'getRegistration',
  ])
  const showToast = useToast()
  return (
    <RegistrationChoice template={template} chosen={chosen} onChoose={canManage ? setChosen : undefined}>
      {assign.error !== null && <ErrorMessage error={assign.error} inline />}
      {canManage && (
        <div>
          <Button
            busy={assign.isPending}
            onClick={() =>
              assign.mutate(
                { params: { key }, json: { registration_id: chosen } },
                { onSuccess: () => showToast(text.saved) },
              )
            }
          >
            {text.save}
          </Button>
        </div>
      )}
    </RegistrationChoice>
  )
}

/** The registration that a template names; null if it is asked under the default. */
export function namedRegistration(registration: TemplateDetail['registration']): string | null {
  return registration?.assigned === true ? registration.id : null
}
