import type { ReactNode } from 'react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useFormats, useSharedTexts } from '../texts/texts-context.ts'
import { classes } from './classes.ts'

type FigureProps = {
  name: string
  /** The name as a link to the page that explains it. */
  heading?: ReactNode
  value: string
  note: ReactNode
  /** Whether the value needs attention. */
  tone?: 'good' | 'wait' | 'bad'
  children?: ReactNode
}

/** A number with its name, and below it what it means. */
export function Figure({ name, heading = name, value, note, tone = 'good', children }: FigureProps) {
  return (
    <section
      aria-label={name}
      className="flex min-h-36 flex-col rounded-lg border border-line bg-surface p-5"
    >
      <h2 className="text-sm text-soft">{heading}</h2>
      <p
        className={classes(
          'mt-1 font-serif text-3xl font-medium tracking-tight whitespace-nowrap tabular',
          toneClasses[tone],
        )}
      >
        {value}
      </p>
      <p className="mt-0.5 text-sm text-soft">{note}</p>
      <div className="mt-auto pt-3">{children}</div>
    </section>
  )
}

const toneClasses = { good: '', wait: 'text-wait', bad: 'text-bad' }

/** A part of a whole as a bar. */
export function ShareBar({
  part,
  of,
  label,
  colour,
}: {
  part: number
  of: number
  label: string
  colour: (share: number) => string
}) {
  const text = useSharedTexts().figures
  const formats = useFormats()
  const share = of === 0 ? 0 : Math.min(1, part / of)
  return (
    <svg
      role="img"
      aria-label={fillIn(text.share, { label, percent: formats.percent(share) })}
      className="block h-1.5 w-full overflow-hidden rounded-full"
    >
      <rect width="100%" height="100%" className="fill-sunken" />
      <rect width={`${share * 100}%`} height="100%" className={colour(share)} />
    </svg>
  )
}
