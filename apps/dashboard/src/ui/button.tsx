import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { LoaderCircle } from 'lucide-react'
import { classes } from './classes.ts'

type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'

export type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> & {
  variant?: ButtonVariant
  size?: 'small' | 'normal' | 'large'
  icon?: ReactNode
  /** An operation is in progress: the button keeps the focus and ignores clicks. */
  busy?: boolean
  disabled?: boolean
}

const variantClasses: Record<ButtonVariant, string> = {
  primary: 'bg-ink text-canvas hover:bg-ink/88 border-transparent',
  secondary: 'bg-surface text-ink border-line hover:bg-sunken hover:border-edge',
  quiet: 'text-ink border-transparent hover:bg-sunken',
  danger: 'bg-bad-solid text-white border-transparent hover:brightness-110',
}
const sizeClasses = {
  small: 'h-8 px-2.5 text-sm gap-1.5',
  normal: 'h-9.5 px-3.5 text-sm gap-2',
  large: 'h-12 px-5 text-base gap-2.5',
}

/** The classes of a button, for links that act as one. */
export function buttonClasses(
  variant: ButtonVariant = 'secondary',
  size: keyof typeof sizeClasses = 'normal',
): string {
  return classes(
    'inline-flex items-center justify-center rounded-md border font-medium whitespace-nowrap transition-colors select-none',
    'aria-disabled:opacity-55 aria-disabled:cursor-not-allowed',
    variantClasses[variant],
    sizeClasses[size],
  )
}

export function Button({
  variant = 'secondary',
  size = 'normal',
  icon,
  busy = false,
  disabled = false,
  type = 'button',
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  // `disabled` would lose the keyboard focus, so the button is marked aria-disabled and ignores clicks.
  const isInert = busy || disabled
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (isInert) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isInert || undefined}
      aria-busy={busy || undefined}
      onClick={handleClick}
      className={classes(buttonClasses(variant, size), className)}
    >
      {busy ? <LoaderCircle className="turn size-4" aria-hidden /> : icon}
      {children}
    </button>
  )
}

/** A button with an icon only. Its label is read by screen readers and shown on hover. */
export function IconButton({
  label,
  children,
  className,
  ...rest
}: Omit<ComponentProps<'button'>, 'aria-label'> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={classes(
        'inline-flex size-8 shrink-0 items-center justify-center rounded-md text-soft transition-colors hover:bg-sunken hover:text-ink',
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  )
}
