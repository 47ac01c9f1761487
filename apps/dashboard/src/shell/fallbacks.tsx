import type { ErrorComponentProps } from '@tanstack/react-router'
import { buttonClasses } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Skeleton, SkeletonRows } from '../ui/skeleton.tsx'
import { Wordmark } from './wordmark.tsx'

export function NotFoundPage() {
  return (
    <main className="mx-auto grid min-h-dvh max-w-lg content-center gap-5 px-6">
      <Wordmark />
      <h1 className="font-serif text-3xl font-medium">There is no such page</h1>
      <p className="text-soft">The address may be mistyped, or what it named was erased.</p>
      <div>
        <a href="/dashboard/" className={buttonClasses('primary')}>
          To the overview
        </a>
      </div>
    </main>
  )
}

export function ErrorPage({ error, reset }: ErrorComponentProps) {
  return (
    <div className="mx-auto max-w-2xl px-4 py-10">
      <ErrorMessage
        error={error instanceof Error ? error : new Error('Something went wrong.')}
        retry={reset}
      />
    </div>
  )
}

/** While a page's script or its first answer is on the way: as tall as a page begins. */
export function PageSkeleton() {
  return (
    <div>
      <Skeleton className="mb-3 h-9 w-56" />
      <Skeleton className="mb-8 h-5 w-96" />
      <SkeletonRows />
    </div>
  )
}
