import { useEffect, useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Lightbulb, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { Lint } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { operationQuery } from '../api/queries.ts'
import { useTexts } from '../texts/texts-context.ts'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import type { Template } from './compose.ts'

const debounce_ms = 300
const levelStyles: Record<Lint['level'], { icon: LucideIcon; colour: string }> = {
  error: { icon: CircleX, colour: 'text-bad' },
  warning: { icon: TriangleAlert, colour: 'text-wait' },
  hint: { icon: Lightbulb, colour: 'text-accent' },
}

/** The service's findings on the template, shortly after the last edit. */
export function Lints({ template }: { template: Template }) {
  const text = useTexts().templates.lints
  const json = JSON.stringify(template)
  const [debounced, setDebounced] = useState(json)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(json), debounce_ms)
    return () => clearTimeout(timer)
  }, [json])
  const lints = useQuery({
    ...operationQuery('lintTemplate', { json: { template: JSON.parse(debounced) as Template } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Card title={text.title}>
      {lints.error !== null && <ErrorMessage error={lints.error} retry={() => void lints.refetch()} />}
      {lints.isPending && <Skeleton className="h-5 w-48" />}
      {lints.data?.data.length === 0 && (
        <p className="flex gap-2.5 text-sm">
          <CircleCheck className="mt-0.5 size-4 shrink-0 text-good" aria-hidden /> {text.none}
        </p>
      )}
      <ul className="grid gap-3 text-sm">
        {lints.data?.data.map(({ level, place, message }, index) => {
          const { icon: Icon, colour } = levelStyles[level]
          return (
            <li key={index} className="flex gap-2.5">
              <Icon className={`mt-0.5 size-4 shrink-0 ${colour}`} aria-hidden />
              <span className="min-w-0">
                <span className={`font-semibold ${colour}`}>
                  {fillIn(text.line, { level: text.levels[level] })}
                </span>{' '}
                <span lang="en">{message}</span>
                <code className="block text-xs break-all text-soft">{place}</code>
              </span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
