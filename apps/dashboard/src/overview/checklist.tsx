import { Link } from '@tanstack/react-router'
import { ArrowRight, Check } from 'lucide-react'
import type { Overview } from '@vidimus/contract'
import { useEnvironment } from '../shell/shell-context.ts'
import { classes } from '../ui/classes.ts'

type ChecklistState = Overview['checklist']
type Step = keyof ChecklistState

const steps = {
  key_created: {
    title: 'Create an API key',
    description: 'Your server needs one to create verifications.',
    to: '/$environment/keys',
    linkText: 'API keys',
  },
  verification_created: {
    title: 'Create a verification',
    description: 'One API call returns a QR code. In test, a sandbox persona can respond to it.',
    to: '/$environment/verifications',
    linkText: 'Verifications',
  },
  verification_completed: {
    title: 'Complete a verification',
    description: 'Signature, issuer, holder and revocation are checked before the status is “completed”.',
    to: '/$environment/verifications',
    linkText: 'Verifications',
  },
  webhook_delivered: {
    title: 'Receive a webhook',
    description: 'A signed message to your server, so that you need not poll.',
    to: '/$environment/webhooks',
    linkText: 'Webhooks',
  },
  device_paired: {
    title: 'Pair a device',
    description: 'For checks on site, without writing code.',
    to: '/$environment/devices',
    linkText: 'Devices',
  },
} as const satisfies Record<Step, { title: string; description: string; to: string; linkText: string }>
const stepIds = Object.keys(steps) as Step[]

/** Shown until the integration works: the steps in order, and which are done. */
export function Checklist({ done }: { done: ChecklistState }) {
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
          First steps
        </h2>
        <span className="text-sm text-soft tabular">
          {count} of {stepIds.length}
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
                  {steps[id].title}
                  {done[id] && <span className="sr-only">, done</span>}
                </p>
                {!done[id] && <p className="text-sm text-soft">{steps[id].description}</p>}
              </div>
              {!done[id] && (
                <Link
                  to={steps[id].to}
                  params={{ environment }}
                  className="flex items-center gap-1.5 text-sm font-medium whitespace-nowrap text-accent hover:underline sm:self-center"
                >
                  {steps[id].linkText}
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
