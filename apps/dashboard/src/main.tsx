import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { queryClient } from './api/queries.ts'
import { router } from './router.tsx'
import { LanguageProvider, loadLanguage } from './texts/language-provider.tsx'
import { readLanguage } from './texts/stored-language.ts'
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

const initialLanguage = await loadLanguage(readLanguage())

createRoot(rootElement).render(
  <StrictMode>
    <LanguageProvider initial={initialLanguage}>
      <QueryClientProvider client={queryClient}>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </QueryClientProvider>
    </LanguageProvider>
  </StrictMode>,
)
