import { useId, type ComponentProps, type ReactNode } from 'react'
import { Check, ChevronDown } from 'lucide-react'
import { classes } from './classes.ts'

/** Focuses the first invalid input after the next paint, because it may be out of view. */
export function focusFirstInvalidField(form: Element | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}

type FieldProps = { label: string; hint?: ReactNode; error?: string | undefined }

type FieldInputProps = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

/** Label, input, hint and error, linked to each other for screen readers. */
function Field({
  label,
  hint,
  error,
  children,
}: FieldProps & { children: (inputProps: FieldInputProps) => ReactNode }) {
  const id = useId()
  const descriptionIds = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(
    Boolean,
  )
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({
        id,
        ...(descriptionIds.length > 0 && { 'aria-describedby': descriptionIds.join(' ') }),
        ...(error !== undefined && { 'aria-invalid': true as const }),
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  )
}

export function TextField({ label, hint, error, className, ...input }: FieldProps & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(inputProps) => (
        <input
          type="text"
          autoComplete="off"
          {...input}
          {...inputProps}
          className={classes('input', className)}
        />
      )}
    </Field>
  )
}

export function TextArea({
  label,
  hint,
  error,
  className,
  ...input
}: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(inputProps) => (
        <textarea
          rows={4}
          spellCheck={false}
          {...input}
          {...inputProps}
          className={classes('input resize-y font-mono text-sm', className)}
        />
      )}
    </Field>
  )
}

export function SelectField({
  label,
  hint,
  error,
  children,
  className,
  ...select
}: FieldProps & ComponentProps<'select'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(inputProps) => (
        <span className="relative grid items-center">
          <select {...select} {...inputProps} className={classes('input appearance-none pr-9', className)}>
            {children}
          </select>
          <ChevronDown aria-hidden className="pointer-events-none absolute right-3 size-4 text-soft" />
        </span>
      )}
    </Field>
  )
}

/** A checkbox or radio button with a label and a hint. */
export function ChoiceField({
  label,
  hint,
  kind = 'checkbox',
  ...input
}: { label: ReactNode; hint?: ReactNode; kind?: 'checkbox' | 'radio' } & Omit<
  ComponentProps<'input'>,
  'type'
>) {
  const id = useId()
  return (
    <div className="flex gap-3 py-1.5">
      <span className="relative mt-0.5 grid size-5 shrink-0 place-items-center">
        <input
          {...input}
          id={id}
          type={kind}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          className={classes(
            'peer size-5 appearance-none border border-edge bg-surface transition-colors checked:border-ink checked:bg-ink disabled:opacity-50',
            kind === 'radio' ? 'rounded-full' : 'rounded-sm',
          )}
        />
        {kind === 'radio' ? (
          <span
            aria-hidden
            className="pointer-events-none absolute hidden size-2 rounded-full bg-canvas peer-checked:block"
          />
        ) : (
          <Check
            aria-hidden
            strokeWidth={3}
            className="pointer-events-none absolute hidden size-3.5 text-canvas peer-checked:block"
          />
        )}
      </span>
      <span className="min-w-0">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {hint !== undefined && (
          <span id={`${id}-hint`} className="block text-sm text-soft">
            {hint}
          </span>
        )}
      </span>
    </div>
  )
}

export function ChoiceGroup({
  legend,
  hint,
  children,
}: {
  legend: string
  hint?: ReactNode
  children: ReactNode
}) {
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      {hint !== undefined && <p className="text-sm text-soft">{hint}</p>}
      {children}
    </fieldset>
  )
}
