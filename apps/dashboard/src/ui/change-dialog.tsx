import type { DashboardOperation } from '@vidimus/contract/dashboard-paths'
import type { OperationInput, OperationOutput } from '../api/call.ts'
import { useOperationMutation } from '../api/queries.ts'
import { MutationDialog, type MutationDialogProps } from './mutation-dialog.tsx'

type ChangeDialogProps<Op extends DashboardOperation> = MutationDialogProps<
  OperationInput<Op>,
  OperationOutput<Op>
> & {
  op: Op
  /** The read operations to refetch afterwards. */
  invalidates: readonly DashboardOperation[]
}

/** Confirms and runs one operation of the dashboard. */
export function ChangeDialog<Op extends DashboardOperation>({
  op,
  invalidates,
  ...dialog
}: ChangeDialogProps<Op>) {
  return <MutationDialog {...dialog} mutation={useOperationMutation(op, invalidates)} />
}
