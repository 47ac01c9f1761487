import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { queryClient } from './api/operation-hooks.ts'
import { router } from './router.tsx'
import { RequestLink } from './requests/request-link.tsx'
import { LanguageProvider, loadLanguage } from './texts/language-provider.tsx'
import { loadTexts } from './texts/load-texts.ts'
import { readLanguage } from './texts/stored-language.ts'
import { ErrorPartsContext } from './ui/error-message.tsx'
import { NotForRole } from './ui/not-for-role.tsx'
import { ToastProvider } from './ui/toast.tsx'
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet exports nothing
import './styles.css'

declare module '@tanstack/react-router' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- the router takes its route types from this interface
  interface Register {
    router: typeof router
  }
}

const rootElement = document.querySelector('#root')
if (rootElement === null) throw new Error('The page has no #root element.')

const initialLanguage = await loadLanguage(loadTexts, readLanguage())

createRoot(rootElement).render(
  <StrictMode>
    <LanguageProvider load={loadTexts} initial={initialLanguage}>
      <QueryClientProvider client={queryClient}>
        <ErrorPartsContext value={{ NotForRole, RequestLink }}>
          <ToastProvider>
            <RouterProvider router={router} />
          </ToastProvider>
        </ErrorPartsContext>
      </QueryClientProvider>
    </LanguageProvider>
  </StrictMode>,
)
