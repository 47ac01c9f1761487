import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { Copyable } from './copyable.tsx'
import { Dialog } from './dialog.tsx'

type SecretDialogProps = Omit<ComponentProps<typeof Dialog>, 'open' | 'persistent'> & {
  /** What to copy. The dialog is open while there is something. */
  secret: string | undefined
  copy: string
  copied: string
}

/** Shows what is shown only once, to be copied. */
export function SecretDialog({ secret, copy, copied, children, ...dialog }: SecretDialogProps) {
  return (
    <Dialog {...dialog} open={secret !== undefined} persistent>
      {secret !== undefined && <Copyable text={secret} label={copy} />}
      {children}
      <div className="flex justify-end">
        <Button variant="primary" onClick={dialog.onClose}>
          {copied}
        </Button>
      </div>
    </Dialog>
  )
}
