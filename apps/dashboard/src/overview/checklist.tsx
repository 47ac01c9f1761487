import { Link } from '@tanstack/react-router'
import { ArrowRight, Check } from 'lucide-react'
import type { Overview } from '@vidimus/contract'
import { useEnvironment } from '../shell/shell-context.ts'
import { classes } from '../ui/classes.ts'

type ChecklistState = Overview['checklist']

const steps = [
  {
    id: 'key_created',
    title: 'Create an API key',
    means: 'Your server creates verifications with it.',
    to: '/$environment/keys',
    go: 'API keys',
  },
  {
    id: 'verification_created',
    title: 'Ask your first question',
    means: 'One HTTP call, and you have a QR code. In test, a made-up person can answer it.',
    to: '/$environment/verifications',
    go: 'Verifications',
  },
  {
    id: 'verification_completed',
    title: 'Get an answer with proof',
    means: 'Signature, issuer, holder and revocation are checked before you read “completed”.',
    to: '/$environment/verifications',
    go: 'Verifications',
  },
  {
    id: 'webhook_delivered',
    title: 'Hear of it by webhook',
    means: 'A signed message, so that nothing has to be polled.',
    to: '/$environment/webhooks',
    go: 'Webhooks',
  },
  {
    id: 'device_paired',
    title: 'Pair a till',
    means: 'For checks on the spot, without a line of code.',
    to: '/$environment/devices',
    go: 'Devices',
  },
] as const satisfies readonly {
  id: keyof ChecklistState
  title: string
  means: string
  to: string
  go: string
}[]

/** The empty overview: what to do, in its order, and what is done already. */
export function Checklist({ done }: { done: ChecklistState }) {
  const environment = useEnvironment()
  const next = steps.find(({ id }) => !done[id])?.id
  const count = steps.filter(({ id }) => done[id]).length
  return (
    <section
      aria-labelledby="first-steps"
      className="overflow-hidden rounded-lg border border-line bg-surface"
    >
      <div className="flex items-baseline justify-between gap-4 px-5 pt-5 pb-3 sm:px-6">
        <h2 id="first-steps" className="font-serif text-xl font-medium">
          First steps
        </h2>
        <span className="text-sm text-soft tabular">
          {count} of {steps.length}
        </span>
      </div>
      <ol className="divide-y divide-line">
        {steps.map(({ id, title, means, to, go }, index) => (
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
                  {title}
                  {done[id] && <span className="sr-only">, done</span>}
                </p>
                {!done[id] && <p className="text-sm text-soft">{means}</p>}
              </div>
              {!done[id] && (
                <Link
                  to={to}
                  params={{ environment }}
                  className="flex items-center gap-1.5 text-sm font-medium whitespace-nowrap text-accent hover:underline sm:self-center"
                >
                  {go}
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
