import { lazy, Suspense, useEffect, useState } from 'react'
import { Search } from 'lucide-react'
import { useTexts } from '../texts/texts-context.ts'

const loadDialog = () => import('./search-dialog.tsx')
/** If it fails, opening the search tries again. */
const preloadDialog = () => void loadDialog().catch(() => undefined)
const SearchDialog = lazy(async () => ({ default: (await loadDialog()).SearchDialog }))

const isMac = navigator.platform.startsWith('Mac')

/** Opens the search, as Ctrl+K or ⌘K does on every page. */
export function SearchButton({ small = false }: { small?: boolean }) {
  const text = useTexts().search
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
        {...(small && { 'aria-label': text.open })}
        onClick={() => setOpen(true)}
        onPointerEnter={preloadDialog}
        onFocus={preloadDialog}
        className={
          small
            ? 'grid size-10 place-items-center rounded-md text-soft hover:bg-sunken hover:text-ink'
            : 'flex h-9 shrink-0 items-center gap-3 rounded-md border border-line bg-surface px-2.5 text-sm text-soft hover:border-edge hover:text-ink'
        }
      >
        <Search className="size-4.5 shrink-0" strokeWidth={1.75} aria-hidden />
        {!small && (
          <>
            <span className="flex-1 text-start">{text.open}</span>
            <kbd aria-hidden className="font-sans text-xs">
              {isMac ? '⌘K' : 'Ctrl K'}
            </kbd>
          </>
        )}
      </button>
      {open && (
        <Suspense>
          <SearchDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
