import type { ReactNode } from 'react'
import type { DashboardOperation } from '@vidimus/contract/dashboard-paths'
import { useChange } from '../api/queries.ts'
import { useEnvironment } from '../shell/me.ts'
import { FormDialog } from './dialog.tsx'
import { useSay } from './toast.tsx'

type RevokeProps = {
  op: 'revokeKey' | 'revokeDevice'
  stale: readonly DashboardOperation[]
  target: { id: string; name: string }
  /** What follows from it. */
  description: ReactNode
  submit: string
  onClose: () => void
}

/** Asks before something is taken out of use for good. */
export function Revoke({ op, stale, target: { id, name }, description, submit, onClose }: RevokeProps) {
  const environment = useEnvironment()
  const revoke = useChange(op, stale)
  const say = useSay()
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Revoke “${name}”?`}
      description={description}
      submit={submit}
      look="danger"
      busy={revoke.isPending}
      error={revoke.error}
      onSubmit={() =>
        revoke.mutate(
          { params: { environment, id } },
          {
            onSuccess: () => {
              say(`“${name}” is revoked.`)
              onClose()
            },
          },
        )
      }
    />
  )
}
