import { useEffect, type ReactNode } from 'react'
import { Wordmark } from '../shell/wordmark.tsx'

/** The layout of the pages before sign-in: one centred column. */
export function SignInLayout({
  app,
  title,
  description,
  children,
}: {
  /** Its name beside the logo, unless it is the dashboard. */
  app?: string
  title: string
  description: ReactNode
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Vidimus`
  }, [title])
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-md content-center gap-8 px-6 py-12">
      <Wordmark {...(app !== undefined && { app })} />
      <div>
        <h1 className="font-serif text-3xl font-medium tracking-tight">{title}</h1>
        <div className="mt-2 text-soft">{description}</div>
      </div>
      {children}
    </main>
  )
}
