import { useFormats } from '../texts/texts-context.ts'

type Segment<Value extends string> = { value: Value; label: string; count?: number | undefined }

type SegmentsProps<Value extends string> = {
  label: string
  value: string
  options: readonly Segment<Value>[]
  onChange: (value: Value) => void
}

/** A choice between a few views of one page. On a phone the row scrolls. */
export function Segments<Value extends string>({ label, value, options, onChange }: SegmentsProps<Value>) {
  const formats = useFormats()
  return (
    <div
      role="group"
      aria-label={label}
      className="flex w-fit max-w-full gap-0.5 overflow-x-auto rounded-md border border-line bg-sunken p-0.75"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className="flex min-h-8 shrink-0 items-center gap-1.5 rounded-[6px] border border-transparent px-3 text-sm text-soft -outline-offset-2 hover:text-ink aria-pressed:border-edge aria-pressed:bg-surface aria-pressed:font-semibold aria-pressed:text-ink pointer-coarse:min-h-10"
        >
          {option.label}
          {option.count !== undefined && (
            <span className="font-medium text-soft tabular">{formats.integer(option.count)}</span>
          )}
        </button>
      ))}
    </div>
  )
}
