import { useEffect, useState, type ReactNode } from 'react'
import { Search } from 'lucide-react'

const isMac = navigator.platform.startsWith('Mac')

type SearchButtonProps = {
  label: string
  small: boolean
  /** Loads the dialog's script before it is needed. */
  preload: () => void
  dialog: (onClose: () => void) => ReactNode
}

/** Opens the search, as Ctrl+K or ⌘K does on every page. */
export function SearchButton({ label, small, preload, dialog }: SearchButtonProps) {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    // The small button is on the same page; one listener is enough.
    if (small) return undefined
    const handle = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(isMac ? event.metaKey : event.ctrlKey)) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  }, [small])
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        {...(small && { 'aria-label': label })}
        onClick={() => setOpen(true)}
        onPointerEnter={preload}
        onFocus={preload}
        className={
          small
            ? 'grid size-10 place-items-center rounded-md text-soft hover:bg-sunken hover:text-ink'
            : 'flex h-9 shrink-0 items-center gap-3 rounded-md border border-line bg-surface px-2.5 text-sm text-soft hover:border-edge hover:text-ink'
        }
      >
        <Search className="size-4.5 shrink-0" strokeWidth={1.75} aria-hidden />
        {!small && (
          <>
            <span className="flex-1 text-start">{label}</span>
            <kbd aria-hidden className="font-sans text-xs">
              {isMac ? '⌘K' : 'Ctrl K'}
            </kbd>
          </>
        )}
      </button>
      {open && dialog(() => setOpen(false))}
    </>
  )
}
