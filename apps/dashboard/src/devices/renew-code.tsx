import { useState } from 'react'
import type { DashboardDevice } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import type { OperationOutput } from '../api/call.ts'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { PairDevice } from './pair-device.tsx'

/** Asks, because the device's tokens end, and then shows the new code. */
export function RenewCode({ target, onClose }: { target: DashboardDevice; onClose: () => void }) {
  const text = useTexts().editing.device
  const environment = useEnvironment()
  const renew = useOperationMutation('renewPairingCode', ['listDevices'])
  const [offer, setOffer] = useState<OperationOutput<'renewPairingCode'>>()
  if (offer !== undefined) return <PairDevice offer={offer} onClose={onClose} />
  return (
    <FormDialog
      open
      onClose={onClose}
      title={fillIn(text.new_code_title, { name: target.name })}
      description={target.status === 'active' ? text.new_code_paired : text.new_code_pending}
      submit={text.new_code_submit}
      variant={target.status === 'active' ? 'danger' : 'primary'}
      onSubmit={() =>
        renew.mutate({ params: { environment, id: target.id }, json: {} }, { onSuccess: setOffer })
      }
      busy={renew.isPending}
      error={renew.error}
    >
      {null}
    </FormDialog>
  )
}
