import { Link } from '@tanstack/react-router'
import { ArrowRight, Check, CircleAlert, TriangleAlert } from 'lucide-react'
import type { GoLive as GoLiveState } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import type { Formats } from '../texts/formats.ts'
import type { Texts } from '../texts/languages.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { classes } from '../ui/classes.ts'

type Line = {
  id: string
  title: string
  /** What to do. Absent if it is done. */
  next?: string
  required: boolean
  to:
    | '/$environment/settings/identity'
    | '/$environment/settings/trust'
    | '/$environment/keys'
    | '/$environment/registrations'
    | '/$environment/webhooks'
  linkText: string
}

/** What a live verification needs, until nothing is missing. Says plainly if every one would fail. */
export function GoLive({ state }: { state: GoLiveState }) {
  const texts = useTexts()
  const text = texts.go_live
  const formats = useFormats()
  const lines = listLines(state, texts, formats)
  return (
    <section aria-labelledby="go-live" className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="px-5 pt-5 pb-3 sm:px-6">
        <h2 id="go-live" className="font-serif text-xl font-medium">
          {text.title}
        </h2>
        <p
          className={classes(
            'mt-2 flex items-start gap-2 rounded-md px-4 py-3 text-sm font-medium',
            state.every_verification_fails ? 'bg-bad-tint text-bad' : 'bg-wait-tint text-wait',
          )}
        >
          <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
          {state.every_verification_fails ? text.fails : text.works}
        </p>
      </div>
      <ul className="divide-y divide-line">
        {lines.map((line) => (
          <GoLiveLine key={line.id} line={line} />
        ))}
      </ul>
    </section>
  )
}

function GoLiveLine({ line: { title, next, required, to, linkText } }: { line: Line }) {
  const text = useTexts().go_live
  const done = next === undefined
  return (
    <li className="flex gap-4 px-5 py-4 sm:px-6">
      <span
        aria-hidden
        className={classes(
          'mt-0.5 grid size-6 shrink-0 place-items-center rounded-full',
          done ? 'bg-good-tint text-good' : required ? 'bg-bad-tint text-bad' : 'bg-wait-tint text-wait',
        )}
      >
        {done ? <Check className="size-3.5" strokeWidth={3} /> : <CircleAlert className="size-3.5" />}
      </span>
      <div className="flex min-w-0 flex-1 gap-x-4 gap-y-2 max-sm:flex-col">
        <div className="min-w-0 flex-1">
          <p className={classes('font-medium', done && 'text-soft')}>
            {title}
            {done && <span className="sr-only">{text.done}</span>}
          </p>
          {!done && (
            <p className="text-sm text-soft">
              <span className="font-medium text-ink">{required ? text.required : text.recommended}.</span>{' '}
              {next}
            </p>
          )}
        </div>
        {!done && (
          <Link
            to={to}
            params={{ environment: 'live' }}
            className="flex items-center gap-1.5 text-sm font-medium whitespace-nowrap text-accent hover:underline sm:self-center"
          >
            {linkText}
            <ArrowRight className="size-4" aria-hidden />
          </Link>
        )}
      </div>
    </li>
  )
}

function listLines(state: GoLiveState, { go_live: text, settings, shell }: Texts, formats: Formats): Line[] {
  const day = formats.day(new Date(state.certificate_expires_at))
  const line = (done: boolean, title: string, missing: { title: string; next: string }) =>
    done ? { title } : missing
  return [
    {
      id: 'certificate',
      ...(state.certificate === 'ok'
        ? { title: fillIn(text.certificate_ok, { day }) }
        : {
            title: fillIn(text.certificate[state.certificate].title, { day }),
            next: text.certificate[state.certificate].next,
          }),
      required: state.certificate !== 'expires_soon',
      to: '/$environment/settings/identity',
      linkText: settings.sections.identity,
    },
    {
      id: 'trust',
      ...line(
        state.trusted_issuers > 0,
        formats.count(text.trust.ok, state.trusted_issuers),
        text.trust.missing,
      ),
      required: true,
      to: '/$environment/settings/trust',
      linkText: settings.sections.trust,
    },
    {
      id: 'key',
      ...line(state.key, text.key.ok, text.key.missing),
      required: true,
      to: '/$environment/keys',
      linkText: shell.pages.keys,
    },
    {
      id: 'registration',
      ...line(state.registration, text.registration.ok, text.registration.missing),
      required: false,
      to: '/$environment/registrations',
      linkText: shell.pages.registrations,
    },
    {
      id: 'webhook',
      ...line(state.webhook, text.webhook.ok, text.webhook.missing),
      required: false,
      to: '/$environment/webhooks',
      linkText: shell.pages.webhooks,
    },
  ]
}

/** Whether anything is missing. */
export function needsGoLive(state: GoLiveState): boolean {
  return state.every_verification_fails || state.certificate !== 'ok' || !state.registration || !state.webhook
}
