import { CircleCheck, CircleX, Lightbulb, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { Lint } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useTexts } from '../texts/texts-context.ts'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import type { Template } from './compose.ts'
import { isOutsideRegistration, type ChosenRegistration } from './registration-choice.tsx'
import { useLints } from './use-lints.ts'

const levelStyles: Record<Lint['level'], { icon: LucideIcon; colour: string }> = {
  error: { icon: CircleX, colour: 'text-bad' },
  warning: { icon: TriangleAlert, colour: 'text-wait' },
  hint: { icon: Lightbulb, colour: 'text-accent' },
}

type LintsProps = { template: Template; registration: ChosenRegistration }

/** The service's findings on the template, except what its registration does not cover, which is shown with the registration. */
export function Lints({ template, registration }: LintsProps) {
  const text = useTexts().templates.lints
  const lints = useLints(template, registration)
  const found = lints.data?.data.filter((lint) => !isOutsideRegistration(lint))
  return (
    <Card title={text.title}>
      {lints.error !== null && <ErrorMessage error={lints.error} retry={() => void lints.refetch()} />}
      {lints.isPending && <Skeleton className="h-5 w-48" />}
      {found?.length === 0 && (
        <p className="flex gap-2.5 text-sm">
          <CircleCheck className="mt-0.5 size-4 shrink-0 text-good" aria-hidden /> {text.none}
        </p>
      )}
      <ul className="grid gap-3 text-sm">
        {found?.map(({ level, place, message }, index) => {
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
