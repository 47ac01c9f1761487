import { useState } from 'react'
import type { CreatedOpenIdClient, OpenIdClient } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { ChoiceField, ChoiceGroup } from '../ui/field.tsx'

const overlaps_seconds = [0, 3600, 86_400, 604_800] as const

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
  const { openid_clients, editing } = useTexts()
  const text = openid_clients.roll
  const environment = useEnvironment()
  const roll = useOperationMutation('rollOpenIdClientSecret', ['listOpenIdClients'])
  const bothWork = client.previous_secret_expires_at !== undefined
  const [overlap_seconds, setOverlap] = useState<(typeof overlaps_seconds)[number]>(bothWork ? 0 : 86_400)
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
      <ChoiceGroup legend={text.overlap}>
        {overlaps_seconds.map((seconds) => (
          <ChoiceField
            key={seconds}
            kind="radio"
            name="overlap"
            disabled={bothWork && seconds > 0}
            label={editing.roll_key.overlaps[seconds]}
            hint={seconds === 0 ? text.now_hint : undefined}
            checked={overlap_seconds === seconds}
            onChange={() => setOverlap(seconds)}
          />
        ))}
      </ChoiceGroup>
    </FormDialog>
  )
}
