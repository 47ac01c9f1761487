import { useRef } from 'react'
import { Button } from './button.tsx'

type PagedQuery = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }

/**
 * The button below a list that loads its next page, if there is one. After the last page the button is gone, and the focus
 * stays in its place.
 */
export function LoadMore({ query, label }: { query: PagedQuery; label: string }) {
  const place = useRef<HTMLDivElement>(null)
  async function loadNext() {
    await query.fetchNextPage()
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) place.current?.focus()
    })
  }
  return (
    <div ref={place} tabIndex={-1} className="text-center outline-none">
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void loadNext()}>
          {label}
        </Button>
      )}
    </div>
  )
}
