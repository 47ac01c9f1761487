import { useEffect, useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Lightbulb, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { Lint } from '@vidimus/contract'
import { operationQuery } from '../api/queries.ts'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import type { Template } from './compose.ts'

const debounce_ms = 300
const levelStyles: Record<Lint['level'], { icon: LucideIcon; colour: string; label: string }> = {
  error: { icon: CircleX, colour: 'text-bad', label: 'Error' },
  warning: { icon: TriangleAlert, colour: 'text-wait', label: 'Warning' },
  hint: { icon: Lightbulb, colour: 'text-accent', label: 'Suggestion' },
}

/** The service's findings on the template, shortly after the last edit. */
export function Lints({ template }: { template: Template }) {
  const text = JSON.stringify(template)
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), debounce_ms)
    return () => clearTimeout(timer)
  }, [text])
  const lints = useQuery({
    ...operationQuery('lintTemplate', { json: { template: JSON.parse(debounced) as Template } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Card title="Issues">
      {lints.error !== null && <ErrorMessage error={lints.error} retry={() => void lints.refetch()} />}
      {lints.isPending && <Skeleton className="h-5 w-48" />}
      {lints.data?.data.length === 0 && (
        <p className="flex gap-2.5 text-sm">
          <CircleCheck className="mt-0.5 size-4 shrink-0 text-good" aria-hidden /> No issues found
        </p>
      )}
      <ul className="grid gap-3 text-sm">
        {lints.data?.data.map(({ level, place, message }, index) => {
          const { icon: Icon, colour, label } = levelStyles[level]
          return (
            <li key={index} className="flex gap-2.5">
              <Icon className={`mt-0.5 size-4 shrink-0 ${colour}`} aria-hidden />
              <span className="min-w-0">
                <span className={`font-semibold ${colour}`}>{label}: </span>
                {message}
                <code className="block text-xs break-all text-soft">{place}</code>
              </span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
