import { useEffect, useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Lightbulb, TriangleAlert } from 'lucide-react'
import { operationQuery } from '../api/queries.ts'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import type { Template } from './compose.ts'

const debounce_ms = 300
const levelStyles = {
  error: { icon: CircleX, colour: 'text-bad', word: 'Wrong' },
  warning: { icon: TriangleAlert, colour: 'text-wait', word: 'Mind' },
  hint: { icon: Lightbulb, colour: 'text-accent', word: 'Could be better' },
}

/** What the service says of the template as it stands, a moment after the last change. */
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
    <Card title="Advice">
      {lints.error !== null && <ErrorMessage error={lints.error} retry={() => void lints.refetch()} />}
      {lints.isPending && <Skeleton className="h-5 w-48" />}
      {lints.data?.data.length === 0 && (
        <p className="flex gap-2.5 text-sm">
          <CircleCheck className="mt-0.5 size-4 shrink-0 text-good" aria-hidden /> Nothing to say against it.
        </p>
      )}
      <ul className="grid gap-3 text-sm">
        {lints.data?.data.map(({ level, place, message }, index) => {
          const { icon: Icon, colour, word: label } = levelStyles[level]
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
