import { useNavigate } from '@tanstack/react-router'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { useToast } from '../ui/toast.tsx'

type RemoveRegistrationProps = {
  id: string
  name: string
  /** The templates that name it. While there are any, it cannot be removed. */
  templates: readonly string[]
  onClose: () => void
}

/** Leads back to the list, because the page of the registration is gone afterwards. */
export function RemoveRegistration({ id, name, templates, onClose }: RemoveRegistrationProps) {
  const text = useTexts().registrations.remove
  const formats = useFormats()
  const environment = useEnvironment()
  const remove = useOperationMutation('removeRegistration', [
    'listRegistrations',
    'getTemplate',
    'getOverview',
  ])
  const navigate = useNavigate()
  const showToast = useToast()
  const isInUse = templates.length > 0
  return (
    <FormDialog
      open
      onClose={onClose}
      title={fillIn(text.title, { name })}
      description={
        isInUse
          ? formats.count(text.in_use, templates.length, { templates: templates.join(', ') })
          : text.description
      }
      submit={text.submit}
      variant="danger"
      disabled={isInUse}
      busy={remove.isPending}
      error={remove.error}
      onSubmit={() =>
        remove.mutate(
          { params: { id } },
          {
            onSuccess: () => {
              showToast(fillIn(text.done, { name }))
              void navigate({ to: '/$environment/registrations', params: { environment } })
            },
          },
        )
      }
    />
  )
}
