import { CircleCheck } from 'lucide-react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import type { OperationOutput } from '../api/call.ts'
import { useOperationQuery } from '../api/queries.ts'
import { useClockOffset, useEnvironment } from '../shell/shell-context.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { QrCode } from '../ui/qr-code.tsx'
import { formatCountdown, useSecondsUntil } from '../ui/time.tsx'
import { SimulatedTillButton } from './simulated-till.tsx'

/** Shows the code, large enough to read across a counter, until the device is paired. */
export function PairDevice({
  offer,
  onClose,
}: {
  offer: OperationOutput<'registerDevice'>
  onClose: () => void
}) {
  const { devices: devicesText, common } = useTexts()
  const text = devicesText.pair
  const { name } = offer.device
  const environment = useEnvironment()
  const devices = useOperationQuery('listDevices', { params: { environment } })
  const paired = devices.data?.data.find(({ id }) => id === offer.device.id)?.status === 'active'
  const secondsLeft = useSecondsUntil(
    offer.device.pairing_expires_at ?? offer.device.created_at,
    useClockOffset(),
  )
  return (
    <Dialog
      open
      persistent
      onClose={onClose}
      title={fillIn(paired ? text.paired_title : text.title, { name })}
      description={paired ? text.paired_description : text.description}
    >
      <div role="status" className="sr-only">
        {paired ? text.paired : ''}
      </div>
      {paired ? (
        <CircleCheck className="mx-auto size-20 text-good" strokeWidth={1.25} aria-hidden />
      ) : secondsLeft === 0 ? (
        <p className="rounded-md bg-wait-tint px-4 py-3 text-wait">{text.expired}</p>
      ) : (
        <>
          <div className="mx-auto w-full max-w-60">
            <QrCode text={offer.pairing_url} label={text.qr_code} />
          </div>
          <div className="flex items-center justify-center gap-1">
            <code className="text-2xl font-semibold tracking-wider whitespace-nowrap">
              {offer.pairing_code}
            </code>
            <CopyButton text={offer.pairing_code} label={text.copy} />
          </div>
          <p className="text-center text-sm text-soft">
            <Sentence
              text={text.expires_in}
              values={{
                countdown: (
                  <span role="timer" className="tabular font-medium text-ink">
                    {formatCountdown(secondsLeft)}
                  </span>
                ),
              }}
            />
          </p>
        </>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {environment === 'test' && !paired && secondsLeft !== 0 && (
          <SimulatedTillButton device_id={offer.device.id} pairing_code={offer.pairing_code} />
        )}
        <Button variant={paired ? 'primary' : 'secondary'} onClick={onClose}>
          {common.done}
        </Button>
      </div>
    </Dialog>
  )
}
