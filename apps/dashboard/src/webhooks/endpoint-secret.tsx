import type { WebhookEndpoint } from '@vidimus/contract'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { SecretDialog } from '../ui/secret-dialog.tsx'

/** Shows a new secret, once. */
export function EndpointSecret({ secret, onClose }: { secret: string | undefined; onClose: () => void }) {
  const { title, description, copy, copied } = useTexts().webhook_endpoints.secret
  return <SecretDialog {...{ secret, onClose, title, description, copy, copied }} />
}

export function RotateEndpointSecret({
  endpoint,
  onClose,
  onRotated,
}: {
  endpoint: WebhookEndpoint
  onClose: () => void
  onRotated: (secret: string) => void
}) {
  const text = useTexts().webhook_endpoints.secret
  const environment = useEnvironment()
  const rotate = useOperationMutation('rotateWebhookEndpointSecret', ['listWebhookEndpoints'])
  return (
    <FormDialog
      open
      onClose={onClose}
      title={text.rotate_title}
      description={text.rotate_description}
      submit={text.rotate_submit}
      variant="danger"
      busy={rotate.isPending}
      error={rotate.error}
      onSubmit={() =>
        rotate.mutate(
          { params: { environment, id: endpoint.id } },
          { onSuccess: ({ secret }) => (onClose(), onRotated(secret)) },
        )
      }
    />
  )
}
