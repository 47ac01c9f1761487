import { useRef, type FormEvent, type ReactNode, type RefObject } from 'react'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useSharedTexts } from '../texts/texts-context.ts'
import { Button, IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { ErrorMessage } from './error-message.tsx'
import { focusFirstInvalidField } from './field.tsx'

type DialogProps = {
  open: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  children?: ReactNode
  wide?: boolean
  /** Does not close on a click outside, because what was typed or shown would be lost. */
  persistent?: boolean
  /** What is focused first instead of the Close button. */
  initialFocus?: RefObject<HTMLElement | null>
}

/**
 * Radix's overlay would insert a style sheet into the page, which the CSP forbids. Ours captures scrolling itself, so the page
 * behind does not move.
 */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  wide = false,
  persistent = false,
  initialFocus,
}: DialogProps) {
  const text = useSharedTexts().ui
  const opener = useRef<Element>(null)
  const preventOutsideClose = (event: Event) => {
    if (persistent) event.preventDefault()
  }
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <div className="fade fixed inset-0 z-50 overflow-auto overscroll-contain bg-black/45" aria-hidden />
        <div className="pointer-events-none fixed inset-0 z-50 grid items-end justify-items-center overflow-y-auto sm:items-center sm:p-6">
          <Radix.Content
            {...(description === undefined && { 'aria-describedby': undefined })}
            onInteractOutside={preventOutsideClose}
            onOpenAutoFocus={(event) => {
              opener.current = findOpener()
              if (initialFocus === undefined) return
              event.preventDefault()
              initialFocus.current?.focus()
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault()
              restoreFocus(opener.current)
            }}
            className={classes(
              'appear pointer-events-auto flex max-h-[92dvh] w-full flex-col rounded-t-lg border border-line bg-surface shadow-float sm:rounded-lg',
              wide ? 'sm:max-w-2xl' : 'sm:max-w-md',
            )}
          >
            <div className="flex items-start gap-4 px-6 pt-5">
              <Radix.Title className="min-w-0 flex-1 font-serif text-xl font-medium">{title}</Radix.Title>
              <Radix.Close asChild>
                <IconButton label={text.close} className="-mr-2">
                  <X className="size-4.5" />
                </IconButton>
              </Radix.Close>
            </div>
            <div className="grid scroll-pb-24 gap-5 overflow-y-auto overscroll-contain px-6 pt-2 pb-6 sm:rounded-b-lg">
              {description !== undefined && (
                <Radix.Description asChild>
                  <div className="text-soft">{description}</div>
                </Radix.Description>
              )}
              {children}
            </div>
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The element that opened the current dialog, until the focus returns to it. */
let lastOpener: Element | null = null

/** The focused element. When one dialog replaces another nothing is focused, and the opener of the first counts for both. */
function findOpener(): Element | null {
  const focused = document.activeElement
  lastOpener = focused === document.body ? lastOpener : focused
  return lastOpener
}

/** Returns the focus to the element that opened the dialog, or to the page if it is gone. */
function restoreFocus(opener: Element | null): void {
  lastOpener = null
  const isFocusable = opener instanceof HTMLElement && opener.isConnected && opener !== document.body
  const target = isFocusable ? opener : document.querySelector<HTMLElement>('#main')
  target?.focus({ preventScroll: true })
}

type FormDialogProps = DialogProps & {
  submit: string
  variant?: 'primary' | 'danger'
  onSubmit: () => void
  busy?: boolean
  disabled?: boolean
  error?: Error | null
  /** Beside the buttons. */
  note?: string
}

/** A dialog with a form: Cancel, and one button that names the action. Both stay in view while a long form scrolls. */
export function FormDialog({
  submit,
  variant = 'primary',
  onSubmit,
  busy = false,
  disabled = false,
  error = null,
  note,
  children,
  ...dialog
}: FormDialogProps) {
  const text = useSharedTexts().ui
  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy || disabled) return
    onSubmit()
    focusFirstInvalidField(event.currentTarget)
  }
  return (
    <Dialog {...dialog}>
      <form onSubmit={handleSubmit} className="grid gap-5" noValidate>
        {children}
        {error !== null && <ErrorMessage error={error} inline />}
        <div className="sticky -bottom-6 z-10 -mx-6 -mb-6 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-surface px-6 py-4">
          {note !== undefined && <span className="mr-auto text-sm text-soft">{note}</span>}
          <Button variant="secondary" onClick={dialog.onClose}>
            {text.cancel}
          </Button>
          <Button type="submit" variant={variant} busy={busy} disabled={disabled}>
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
