import { useState, type ComponentProps } from 'react'
import { useSharedTexts } from '../texts/texts-context.ts'
import { Button } from './button.tsx'
import { Copyable } from './copyable.tsx'
import { Dialog } from './dialog.tsx'

type SecretDialogProps = Omit<ComponentProps<typeof Dialog>, 'open' | 'persistent'> & {
  /** What to copy. The dialog is open while there is something. */
  secret: string | undefined
  copy: string
  copied: string
}

/** Shows what is shown only once, to be copied. Escape and the Close button ask first, because it would be lost. */
export function SecretDialog({ secret, copy, copied, children, onClose, ...dialog }: SecretDialogProps) {
  const text = useSharedTexts().ui.secret
  const [asking, setAsking] = useState(false)
  const close = () => {
    setAsking(false)
    onClose()
  }
  return (
    <Dialog {...dialog} open={secret !== undefined} persistent onClose={() => setAsking(!asking)}>
      {secret !== undefined && <Copyable text={secret} label={copy} />}
      {children}
      {asking && (
        <div className="grid gap-3 rounded-md bg-wait-tint px-4 py-3 text-sm text-wait">
          <p role="alert">{text.not_copied}</p>
          <div className="flex flex-wrap gap-2">
            <Button size="small" onClick={() => setAsking(false)}>
              {text.back}
            </Button>
            <Button size="small" onClick={close}>
              {text.close}
            </Button>
          </div>
        </div>
      )}
      <div className="flex justify-end">
        <Button variant="primary" onClick={close}>
          {copied}
        </Button>
      </div>
    </Dialog>
  )
}
