import type { ComponentProps } from 'react'
import type { DashboardOperation } from '@vidimus/contract/dashboard-paths'
import type { Input } from '../api/call.ts'
import { useChange } from '../api/queries.ts'
import { FormDialog } from './dialog.tsx'
import { useSay } from './toast.tsx'

type ChangeDialogProps<Op extends DashboardOperation> = Omit<
  ComponentProps<typeof FormDialog>,
  'open' | 'busy' | 'error' | 'onSubmit'
> & {
  op: Op
  input: Input<Op>
  /** What is to be read again after it. */
  stale: readonly DashboardOperation[]
  /** What is said once it is done. */
  done: string
}

/** Asks, changes one thing, says that it is done, and closes. */
export function ChangeDialog<Op extends DashboardOperation>({
  op,
  input,
  stale,
  done,
  ...dialog
}: ChangeDialogProps<Op>) {
  const change = useChange(op, stale)
  const say = useSay()
  const onSuccess = () => {
    say(done)
    dialog.onClose()
  }
  return (
    <FormDialog
      {...dialog}
      open
      busy={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate(input, { onSuccess })}
    />
  )
}
