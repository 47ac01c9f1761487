import type { ReactNode } from 'react'

/** A whole screen with one thing to say. */
export function Notice({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <main className="notice">
      <h1>{title}</h1>
      {children}
    </main>
  )
}
