import type { OperatorOperation } from '@vidimus/contract/operator-paths'
import { MutationDialog, type MutationDialogProps } from '../ui/mutation-dialog.tsx'
import { useOperationMutation, type OperationInput, type OperationOutput } from './api.ts'

type ChangeDialogProps<Op extends OperatorOperation> = MutationDialogProps<
  OperationInput<Op>,
  OperationOutput<Op>
> & {
  op: Op
  /** The read operations to refetch afterwards. */
  invalidates: readonly OperatorOperation[]
}

/** Confirms and runs one operation of the operators' API. */
export function ChangeDialog<Op extends OperatorOperation>({
  op,
  invalidates,
  ...dialog
}: ChangeDialogProps<Op>) {
  return <MutationDialog {...dialog} mutation={useOperationMutation(op, invalidates)} />
}
