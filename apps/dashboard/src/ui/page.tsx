import { useEffect, type ReactNode } from 'react'

/** The header of every page (title, one sentence, actions) and its content. */
export function Page({
  title,
  description,
  actions,
  children,
}: {
  title: string
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Vidimus`
  }, [title])
  return (
    <div className="fade">
      <header className="mb-7 flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div className="min-w-0">
          <h1 className="font-serif text-3xl font-medium tracking-tight">{title}</h1>
          {description !== undefined && <p className="mt-1.5 max-w-prose text-soft">{description}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

export function Card({
  title,
  description,
  actions,
  children,
}: {
  title?: string
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="min-w-0 rounded-lg border border-line bg-surface p-5 sm:p-6" aria-label={title}>
      {title !== undefined && (
        <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0">
            <h2 className="text-base font-semibold">{title}</h2>
            {description !== undefined && (
              <p className="mt-0.5 max-w-prose text-sm text-soft">{description}</p>
            )}
          </div>
          {actions}
        </div>
      )}
      {children}
    </section>
  )
}

/** A list of names and values, stacked on a phone. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid gap-x-8 gap-y-3 text-sm sm:grid-cols-[minmax(8rem,auto)_1fr]">{children}</dl>
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft max-sm:-mb-2.5">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  )
}
