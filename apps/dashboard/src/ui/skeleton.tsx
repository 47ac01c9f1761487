import { useSharedTexts } from '../texts/texts-context.ts'
import { classes } from './classes.ts'

/** A placeholder in the size of the content that is loading. */
export function Skeleton({ className = 'h-4 w-32' }: { className?: string }) {
  return <span aria-hidden className={classes('breathe block max-w-full rounded-sm bg-sunken', className)} />
}

/** A placeholder as tall as the rows of a table. */
export function SkeletonRows({ rows = 5 }: { rows?: number }) {
  const text = useSharedTexts().ui
  return (
    <div role="status" className="divide-y divide-line rounded-lg border border-line bg-surface">
      <span className="sr-only">{text.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex h-14 items-center gap-6 px-4">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="hidden h-4 w-24 sm:block" />
          <Skeleton className="ml-auto h-4 w-20" />
        </div>
      ))}
    </div>
  )
}
