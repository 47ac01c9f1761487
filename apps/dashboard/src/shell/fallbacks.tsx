import type { ErrorComponentProps } from '@tanstack/react-router'
import { useSharedTexts } from '../texts/texts-context.ts'
import { buttonClasses } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Skeleton, SkeletonRows } from '../ui/skeleton.tsx'
import { Wordmark } from './wordmark.tsx'

/** `home` is the address of the app's first page. */
export function NotFoundPage({ home }: { home: string }) {
  const text = useSharedTexts().frame.not_found
  return (
    <main className="mx-auto grid min-h-dvh max-w-lg content-center gap-5 px-6">
      <Wordmark />
      <h1 className="font-serif text-3xl font-medium">{text.title}</h1>
      <p className="text-soft">{text.text}</p>
      <div>
        <a href={home} className={buttonClasses('primary')}>
          {text.home}
        </a>
      </div>
    </main>
  )
}

export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const text = useSharedTexts().errors
  return (
    <div className="mx-auto max-w-2xl px-4 py-10">
      <ErrorMessage error={error instanceof Error ? error : new Error(text.unknown)} retry={reset} />
    </div>
  )
}

/** Shown while a page's script or first response loads, at the height of a page's top. */
export function PageSkeleton() {
  return (
    <div>
      <Skeleton className="mb-3 h-9 w-56" />
      <Skeleton className="mb-8 h-5 w-96" />
      <SkeletonRows />
    </div>
  )
}
