import { lazy, Suspense } from 'react'
import { useTexts } from '../texts/texts-context.ts'
import { SearchButton } from './search-button.tsx'

const loadDialog = () => import('./search-dialog.tsx')
const SearchDialog = lazy(async () => ({ default: (await loadDialog()).SearchDialog }))

/** The search over everything in an environment. */
export function Search({ small }: { small: boolean }) {
  const text = useTexts().search
  return (
    <SearchButton
      label={text.open}
      small={small}
      // If it fails, opening the search tries again.
      preload={() => void loadDialog().catch(() => undefined)}
      dialog={(onClose) => (
        <Suspense>
          <SearchDialog onClose={onClose} />
        </Suspense>
      )}
    />
  )
}
