import { useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'

type PagedQuery = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }

/**
 * The button below a list that loads its next page, if there is one. After the last page the button is gone, and the focus
 * stays in its place.
 */
export function LoadMore({ query, label }: { query: PagedQuery; label: string }) {
  const place = useRef<HTMLDivElement>(null)
  const wasPressed = useRef(false)
  function loadNext() {
    wasPressed.current = true
    void query.fetchNextPage()
  }
  useLayoutEffect(() => {
    if (query.hasNextPage || !wasPressed.current) return
    wasPressed.current = false
    if (document.activeElement === document.body) place.current?.focus()
  }, [query.hasNextPage])
  return (
    <div ref={place} tabIndex={-1} className="text-center outline-none">
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={loadNext}>
          {label}
        </Button>
      )}
    </div>
  )
}
