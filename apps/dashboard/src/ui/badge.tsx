import type { ReactNode } from 'react'
import { classes } from './classes.ts'

export type Tone = 'good' | 'wait' | 'bad' | 'plain' | 'accent'

const tones: Record<Tone, string> = {
  good: 'bg-good-tint text-good',
  wait: 'bg-wait-tint text-wait',
  bad: 'bg-bad-tint text-bad',
  accent: 'bg-accent-tint text-accent',
  plain: 'bg-sunken text-soft',
}

/** A label whose colour repeats its meaning, and is never the only carrier of it. */
export function Badge({
  tone = 'plain',
  dot = false,
  children,
}: {
  tone?: Tone
  dot?: boolean
  children: ReactNode
}) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1.5 rounded-sm px-1.5 py-0.5 text-xs font-semibold whitespace-nowrap',
        tones[tone],
      )}
    >
      {dot && <span aria-hidden className="size-1.5 rounded-full bg-current" />}
      {children}
    </span>
  )
}
