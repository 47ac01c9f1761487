import { CircleCheck, CircleX, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { RegistrationFinding } from '@vidimus/contract'
import { useTexts } from '../texts/texts-context.ts'

const styles: Record<RegistrationFinding['status'], { icon: LucideIcon; colour: string }> = {
  pass: { icon: CircleCheck, colour: 'text-good' },
  warning: { icon: TriangleAlert, colour: 'text-wait' },
  fail: { icon: CircleX, colour: 'text-bad' },
}

/** What each check found, in words as well as in colour. */
export function Findings({ findings }: { findings: readonly RegistrationFinding[] }) {
  const text = useTexts().registrations
  return (
    <ul className="grid gap-3 text-sm">
      {findings.map(({ code, status, detail }) => {
        const { icon: Icon, colour } = styles[status]
        return (
          <li key={code} className="flex gap-2.5">
            <Icon className={`mt-0.5 size-4 shrink-0 ${colour}`} aria-hidden />
            <span className="min-w-0">
              <span className={status === 'pass' ? 'sr-only' : `font-semibold ${colour}`}>
                {text.results[status]}.
              </span>{' '}
              {text.findings[code]}
              {detail !== undefined && (
                <span className="block break-words text-soft" lang="en">
                  {detail}
                </span>
              )}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
