import type { ComponentProps } from 'react'
import type { DashboardOperation } from '@vidimus/contract/dashboard-paths'
import type { OperationInput } from '../api/call.ts'
import { useOperationMutation } from '../api/queries.ts'
import { FormDialog } from './dialog.tsx'
import { useToast } from './toast.tsx'

type ChangeDialogProps<Op extends DashboardOperation> = Omit<
  ComponentProps<typeof FormDialog>,
  'open' | 'busy' | 'error' | 'onSubmit'
> & {
  op: Op
  input: OperationInput<Op>
  /** The read operations to refetch afterwards. */
  invalidates: readonly DashboardOperation[]
  /** The toast shown on success. */
  successMessage: string
}

/** Confirms and runs one operation, shows a toast, and closes. */
export function ChangeDialog<Op extends DashboardOperation>({
  op,
  input,
  invalidates,
  successMessage,
  ...dialog
}: ChangeDialogProps<Op>) {
  const change = useOperationMutation(op, invalidates)
  const showToast = useToast()
  const onSuccess = () => {
    showToast(successMessage)
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
