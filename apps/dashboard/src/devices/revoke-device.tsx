import type { ListedDevice } from '@vidimus/contract'
import { Revoke } from '../ui/revoke.tsx'

export function RevokeDevice({ target, onClose }: { target: ListedDevice | undefined; onClose: () => void }) {
  if (target === undefined) return null
  return (
    <Revoke
      op="revokeDevice"
      stale={['listDevices', 'getOverview']}
      target={target}
      description={
        target.status === 'pending'
          ? 'Its pairing code stops working. Nothing else happens: the device was never paired.'
          : 'Every token it holds stops working at once, and it shows its pairing screen again. Checks that it has begun can still be answered, but it will not see them. This cannot be undone; to use it again, register it again.'
      }
      submit="Revoke device"
      onClose={onClose}
    />
  )
}
