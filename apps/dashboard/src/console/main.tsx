import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ApiError } from '../api/error.ts'
import { queryClient } from '../api/operation-hooks.ts'
import { LanguageProvider, loadLanguage } from '../texts/language-provider.tsx'
import { readLanguage } from '../texts/stored-language.ts'
import { ErrorPartsContext } from '../ui/error-message.tsx'
import { ToastProvider } from '../ui/toast.tsx'
import { router, signInAgain } from './router.tsx'
import { NotForRole } from './shell/not-for-role.tsx'
import { loadConsoleTexts } from './texts/console-texts.ts'
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet exports nothing
import '../styles.css'

declare module '@tanstack/react-router' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- the router takes its route types from this interface
  interface Register {
    router: typeof router
  }
}

const rootElement = document.querySelector('#root')
if (rootElement === null) throw new Error('The page has no #root element.')

const initialLanguage = await loadLanguage(loadConsoleTexts, readLanguage())

// A session ends after half an hour without a request. The page then leads back to where it was.
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || event.action.type !== 'error') return
  const { error } = event.query.state
  if (error instanceof ApiError && error.code === 'not_signed_in') signInAgain()
})

createRoot(rootElement).render(
  <StrictMode>
    <LanguageProvider load={loadConsoleTexts} initial={initialLanguage}>
      <QueryClientProvider client={queryClient}>
        <ErrorPartsContext value={{ NotForRole }}>
          <ToastProvider>
            <RouterProvider router={router} />
          </ToastProvider>
        </ErrorPartsContext>
      </QueryClientProvider>
    </LanguageProvider>
  </StrictMode>,
)
