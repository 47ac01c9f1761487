import { Link } from '@tanstack/react-router'
import { ArrowRight, Check } from 'lucide-react'
import type { Overview } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import type { Texts } from '../texts/languages.ts'
import { classes } from '../ui/classes.ts'

type ChecklistState = Overview['checklist']
type Step = keyof ChecklistState

const steps = {
  key_created: { to: '/$environment/keys', page: 'keys' },
  verification_created: { to: '/$environment/verifications', page: 'verifications' },
  verification_completed: { to: '/$environment/verifications', page: 'verifications' },
  webhook_delivered: { to: '/$environment/webhooks', page: 'webhooks' },
  device_paired: { to: '/$environment/devices', page: 'devices' },
} as const satisfies Record<Step, { to: string; page: keyof Texts['shell']['pages'] }>
const stepIds = Object.keys(steps) as Step[]

/** Shown until the integration works: the steps in order, and which are done. */
export function Checklist({ done }: { done: ChecklistState }) {
  const { overview, shell } = useTexts()
  const text = overview.checklist
  const environment = useEnvironment()
  const next = stepIds.find((id) => !done[id])
  const count = stepIds.filter((id) => done[id]).length
  return (
    <section
      aria-labelledby="first-steps"
      className="overflow-hidden rounded-lg border border-line bg-surface"
    >
      <div className="flex items-baseline justify-between gap-4 px-5 pt-5 pb-3 sm:px-6">
        <h2 id="first-steps" className="font-serif text-xl font-medium">
          {text.title}
        </h2>
        <span className="text-sm text-soft tabular">
          {fillIn(text.progress, { done: count, all: stepIds.length })}
        </span>
      </div>
      <ol className="divide-y divide-line">
        {stepIds.map((id, index) => (
          <li
            key={id}
            className={classes('flex gap-4 px-5 py-4 sm:px-6', id === next && 'bg-accent-tint/60')}
          >
            <span
              aria-hidden
              className={classes(
                'mt-0.5 grid size-6 shrink-0 place-items-center rounded-full text-xs font-semibold',
                done[id] ? 'bg-good-tint text-good' : 'border border-edge text-soft',
              )}
            >
              {done[id] ? <Check className="size-3.5" strokeWidth={3} /> : index + 1}
            </span>
            <div className="flex min-w-0 flex-1 gap-x-4 gap-y-2 max-sm:flex-col">
              <div className="min-w-0 flex-1">
                <p className={classes('font-medium', done[id] && 'text-soft')}>
                  {text.steps[id].title}
                  {done[id] && <span className="sr-only">{text.done}</span>}
                </p>
                {!done[id] && <p className="text-sm text-soft">{text.steps[id].description}</p>}
              </div>
              {!done[id] && (
                <Link
                  to={steps[id].to}
                  params={{ environment }}
                  className="flex items-center gap-1.5 text-sm font-medium whitespace-nowrap text-accent hover:underline sm:self-center"
                >
                  {shell.pages[steps[id].page]}
                  <ArrowRight className="size-4" aria-hidden />
                </Link>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
