import type { FigureCounts } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useFormats, useTexts } from '../../texts/texts-context.ts'
import { Card } from '../../ui/page.tsx'

/** How many verifications reached each step, as bars of one scale, with their share of the step before. */
export function Funnel({ total }: { total: FigureCounts }) {
  const text = useTexts().figures.funnel
  const formats = useFormats()
  const steps = [
    { name: text.created, count: total.created },
    { name: text.opened, count: total.opened },
    { name: text.answered, count: total.completed + total.failed + total.declined },
    { name: text.completed, count: total.completed },
  ]
  return (
    <Card title={text.title} description={text.description}>
      <ol className="grid gap-4 text-sm">
        {steps.map(({ name, count }, index) => {
          const before = steps[index - 1]?.count
          return (
            <li key={name} className="grid gap-1.5">
              <span className="flex flex-wrap items-baseline justify-between gap-x-4">
                <span>{name}</span>
                <span className="whitespace-nowrap">
                  <span className="font-medium tabular">{formats.integer(count)}</span>
                  {before !== undefined && before > 0 && (
                    <span className="ms-2 text-soft">
                      {fillIn(text.of_previous, { percent: formats.percent(count / before) })}
                    </span>
                  )}
                </span>
              </span>
              <svg aria-hidden className="h-2 w-full">
                <rect width="100%" height="100%" rx="4" className="fill-sunken" />
                <rect
                  width={`${total.created === 0 ? 0 : (count / total.created) * 100}%`}
                  height="100%"
                  rx="4"
                  className="fill-accent"
                />
              </svg>
            </li>
          )
        })}
      </ol>
    </Card>
  )
}
