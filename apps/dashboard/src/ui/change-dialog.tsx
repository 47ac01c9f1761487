import type { ComponentProps, ReactNode } from 'react'
import type { DashboardOperation } from '@vidimus/contract/dashboard-paths'
import type { OperationInput, OperationOutput } from '../api/call.ts'
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
  /** What is shown instead of closing, if what was returned needs to be read. */
  renderResult?: (output: OperationOutput<Op>) => ReactNode
}

/** Confirms and runs one operation, shows a toast, and closes or shows the result. */
export function ChangeDialog<Op extends DashboardOperation>({
  op,
  input,
  invalidates,
  successMessage,
  renderResult = () => undefined,
  ...dialog
}: ChangeDialogProps<Op>) {
  const change = useOperationMutation(op, invalidates)
  const showToast = useToast()
  const result = change.data === undefined ? undefined : renderResult(change.data)
  if (result !== undefined) return result
  const onSuccess = (output: OperationOutput<Op>) => {
    showToast(successMessage)
    if (renderResult(output) === undefined) dialog.onClose()
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
