import { useId, useState, type ReactNode } from 'react'
import { ListFilter } from 'lucide-react'
import { useFormats, useSharedTexts } from '../texts/texts-context.ts'
import { Button, buttonClasses } from './button.tsx'
import { classes } from './classes.ts'

/** The filters of a list. A phone shows a button with the number of active ones instead, so that the list comes first. */
export function Filters({
  active,
  onClear,
  children,
}: {
  active: number
  onClear: () => void
  children: ReactNode
}) {
  const text = useSharedTexts().filters
  const formats = useFormats()
  const id = useId()
  const [open, setOpen] = useState(false)
  const clear = (
    <Button size="small" onClick={onClear}>
      {text.clear}
    </Button>
  )
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-2 sm:hidden">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className={classes(buttonClasses(), 'h-11 rounded-full')}
        >
          <ListFilter className="size-4" aria-hidden />
          {text.open}
          {active > 0 && (
            <span className="grid h-5 min-w-5 place-items-center rounded-full bg-accent px-1 text-xs font-bold text-canvas tabular">
              {formats.integer(active)}
              <span className="sr-only"> {text.active}</span>
            </span>
          )}
        </button>
        {active > 0 && clear}
      </div>
      <div
        id={id}
        className={classes(
          'grid gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4',
          !open && 'max-sm:hidden',
        )}
      >
        {children}
        {active > 0 && <div className="max-sm:hidden">{clear}</div>}
      </div>
    </div>
  )
}
