import type { ComponentProps } from 'react'
import { Search } from 'lucide-react'

/** A text field that searches the list below it. The label is also its placeholder. */
export function SearchField({ label, ...input }: { label: string } & ComponentProps<'input'>) {
  return (
    <span className="relative grid w-full items-center sm:w-64">
      <Search aria-hidden className="pointer-events-none absolute left-3 size-4 text-soft" />
      <input
        type="search"
        autoComplete="off"
        maxLength={200}
        aria-label={label}
        placeholder={label}
        className="input pl-9"
        {...input}
      />
    </span>
  )
}
