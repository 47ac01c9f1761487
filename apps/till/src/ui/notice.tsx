import type { ReactNode } from 'react'

/** A whole screen with one thing to say, in the middle. */
export function Notice({
  title,
  before,
  children,
}: {
  title: string
  before?: ReactNode
  children?: ReactNode
}) {
  return (
    <main className="mid">
      <section className="card">
        {before}
        <h1>{title}</h1>
        {children}
      </section>
    </main>
  )
}
