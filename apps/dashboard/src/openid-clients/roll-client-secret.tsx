import { useState } from 'react'
import type { CreatedOpenIdClient, OpenIdClient } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { defaultOverlap_seconds, OverlapChoice, type Overlap } from '../ui/overlap-choice.tsx'

/** Gives a client a new secret, which is shown once. */
export function RollClientSecret({
  client,
  onClose,
  onRolled,
}: {
  client: OpenIdClient
  onClose: () => void
  onRolled: (rolled: CreatedOpenIdClient) => void
}) {
  const text = useTexts().openid_clients.roll
  const environment = useEnvironment()
  const roll = useOperationMutation('rollOpenIdClientSecret', ['listOpenIdClients'])
  const bothWork = client.previous_secret_expires_at !== undefined
  const [overlap_seconds, setOverlap] = useState<Overlap>(bothWork ? 0 : defaultOverlap_seconds)
  return (
    <FormDialog
      open
      persistent
      onClose={onClose}
      title={fillIn(text.title, { name: client.name })}
      description={bothWork ? text.both_work : text.description}
      submit={text.submit}
      onSubmit={() =>
        roll.mutate(
          { params: { environment, id: client.id }, json: { overlap_seconds } },
          { onSuccess: onRolled },
        )
      }
      busy={roll.isPending}
      error={roll.error}
    >
      <OverlapChoice
        legend={text.overlap}
        nowHint={text.now_hint}
        onlyNow={bothWork}
        value={overlap_seconds}
        onChange={setOverlap}
      />
    </FormDialog>
  )
}
