import { createContext, use, useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { CircleCheck, X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { useSharedTexts } from '../texts/texts-context.ts'
import { classes } from './classes.ts'

type ToastMessage = { id: number; text: string }

const maxToasts = 3
const ToastContext = createContext<(text: string) => void>(() => {})

/** Announces what was done, to screen readers too. Errors are shown where they happened, never here. */
export function useToast(): (text: string) => void {
  return use(ToastContext)
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const text = useSharedTexts().ui
  const [toasts, setToasts] = useState<readonly ToastMessage[]>([])
  const showToast = useCallback((message: string) => {
    setToasts((previous) =>
      [...previous, { id: (previous.at(-1)?.id ?? 0) + 1, text: message }].slice(-maxToasts),
    )
  }, [])
  const viewport = useRef<HTMLOListElement>(null)
  const [edge, setEdge] = useState<'top-0' | 'bottom-0'>('bottom-0')
  useEffect(() => {
    if (toasts.length === 0) return undefined
    /** Moves toasts that cover what has the focus to the other edge. */
    const uncoverFocus = () => {
      const element = document.activeElement
      if (element === null || !isCovered(element, viewport.current)) return
      setEdge(element.getBoundingClientRect().top > window.innerHeight / 2 ? 'top-0' : 'bottom-0')
    }
    uncoverFocus()
    // The browser scrolls to what gets the focus before the next frame.
    const afterScrolling = () => requestAnimationFrame(uncoverFocus)
    document.addEventListener('focusin', afterScrolling)
    return () => document.removeEventListener('focusin', afterScrolling)
  }, [toasts])
  return (
    <ToastContext value={showToast}>
      <Radix.Provider swipeDirection="right" duration={6000}>
        {children}
        {toasts.map(({ id, text: message }) => (
          <Radix.Root
            key={id}
            onOpenChange={(open) =>
              !open && setToasts((previous) => previous.filter((note) => note.id !== id))
            }
            className="appear flex items-center gap-3 rounded-md border border-line bg-surface py-2.5 pr-2 pl-4 text-sm shadow-float"
          >
            <CircleCheck className="size-4.5 shrink-0 text-good" aria-hidden />
            <Radix.Description className="flex-1">{message}</Radix.Description>
            <Radix.Close
              aria-label={text.dismiss}
              className="grid size-7 place-items-center rounded-sm text-soft hover:bg-sunken"
            >
              <X className="size-4" aria-hidden />
            </Radix.Close>
          </Radix.Root>
        ))}
        <Radix.Viewport
          ref={viewport}
          className={classes('fixed right-0 z-60 grid w-full max-w-sm gap-2 p-4', edge)}
        />
      </Radix.Provider>
    </ToastContext>
  )
}

function isCovered(element: Element, over: Element | null): boolean {
  if (over === null || over.contains(element)) return false
  const [below, above] = [element.getBoundingClientRect(), over.getBoundingClientRect()]
  return (
    below.bottom > above.top &&
    below.top < above.bottom &&
    below.right > above.left &&
    below.left < above.right
  )
}
