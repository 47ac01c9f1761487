import type { Key } from '@vidimus/contract'
import { Revoke } from '../ui/revoke.tsx'

export function RevokeKey({ target, onClose }: { target: Key | undefined; onClose: () => void }) {
  if (target === undefined) return null
  return (
    <Revoke
      op="revokeKey"
      stale={['listKeys', 'getOverview']}
      target={target}
      description={
        <>
          The next request with <code>{target.prefix}…</code> is refused with <code>invalid_api_key</code>.
          This cannot be undone; verifications that it created stay.
        </>
      }
      submit="Revoke key"
      onClose={onClose}
    />
  )
}
