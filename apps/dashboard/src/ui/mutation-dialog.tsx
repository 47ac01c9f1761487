import type { ComponentProps, ReactNode } from 'react'
import { FormDialog } from './dialog.tsx'
import { useToast } from './toast.tsx'

export type MutationDialogProps<Input, Output> = Omit<
  ComponentProps<typeof FormDialog>,
  'open' | 'busy' | 'error' | 'onSubmit'
> & {
  input: Input
  /** The toast shown on success. */
  successMessage: string
  /** What is shown instead of closing, if what was returned needs to be read. */
  renderResult?: (output: Output) => ReactNode
}

type Mutation<Input, Output> = {
  data: Output | undefined
  error: Error | null
  isPending: boolean
  mutate: (input: Input, options: { onSuccess: (output: Output) => void }) => void
}

/** Confirms and runs one operation, shows a toast, and closes or shows the result. */
export function MutationDialog<Input, Output>({
  mutation,
  input,
  successMessage,
  renderResult = () => undefined,
  ...dialog
}: MutationDialogProps<Input, Output> & { mutation: Mutation<Input, Output> }) {
  const showToast = useToast()
  const result = mutation.data === undefined ? undefined : renderResult(mutation.data)
  if (result !== undefined) return result
  const onSuccess = (output: Output) => {
    showToast(successMessage)
    if (renderResult(output) === undefined) dialog.onClose()
  }
  return (
    <FormDialog
      {...dialog}
      open
      busy={mutation.isPending}
      error={mutation.error}
      onSubmit={() => mutation.mutate(input, { onSuccess })}
    />
  )
}
