import type { ReactNode } from 'react'

/** Shown in place of an empty list: what it is for, and what to do next. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="rounded-lg border border-dashed border-line bg-surface px-6 py-10 sm:px-10">
      <h2 className="font-serif text-xl font-medium">{title}</h2>
      <div className="mt-2 grid max-w-prose gap-3 text-soft">{children}</div>
      {action !== undefined && <div className="mt-5 flex flex-wrap gap-2">{action}</div>}
    </div>
  )
}
