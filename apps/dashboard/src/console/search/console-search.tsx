import { lazy, Suspense } from 'react'
import { SearchButton } from '../../search/search-button.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'

const loadDialog = () => import('./console-search-dialog.tsx')
const ConsoleSearchDialog = lazy(async () => ({ default: (await loadDialog()).ConsoleSearchDialog }))

/** The search by name or id. */
export function ConsoleSearch({ small }: { small: boolean }) {
  const text = useConsoleTexts().search
  return (
    <SearchButton
      label={text.open}
      small={small}
      // If it fails, opening the search tries again.
      preload={() => void loadDialog().catch(() => undefined)}
      dialog={(onClose) => (
        <Suspense>
          <ConsoleSearchDialog onClose={onClose} />
        </Suspense>
      )}
    />
  )
}
