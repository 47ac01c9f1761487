import { useId } from 'react'
import type { CreatedOpenIdClient, OpenIdClient } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { Copyable } from '../ui/copyable.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Time } from '../ui/time.tsx'
import { NotLogin } from './not-login.tsx'

/** What to enter at Auth0, Keycloak or WordPress. A secret that was just made is shown, once. */
export function ClientValues({
  shown: { client, secret },
  onClose,
}: {
  shown: CreatedOpenIdClient
  onClose: () => void
}) {
  const text = useTexts().openid_clients.values
  const values = [
    ['issuer', client.issuer],
    ['discovery', client.discovery_url],
    ['client_id', client.id],
    ...(secret === undefined ? [] : [['client_secret', secret] as const]),
    ...client.scopes.map((scope) => ['scope', `openid ${scope}`] as const),
  ] as const
  return (
    <Dialog
      open
      wide
      persistent={secret !== undefined}
      onClose={onClose}
      title={secret === undefined ? fillIn(text.title, { name: client.name }) : text.title_secret}
      description={secret === undefined ? text.description : text.description_secret}
    >
      {client.last_problem !== undefined && <LastProblem problem={client.last_problem} />}
      <div className="grid gap-4">
        {values.map(([name, value]) => (
          <Value key={value} name={text[name]} value={value} copy={fillIn(text.copy, { name: text[name] })} />
        ))}
      </div>
      <p className="text-sm text-soft">
        {client.authentication === 'none' ? text.public_hint : text.secret_hint}{' '}
        {!client.pkce_required && `${text.nonce_hint} `}
        {fillIn(text.algorithm_hint, { algorithm: client.id_token_algorithm })}
      </p>
      {client.subject_claim === undefined && <NotLogin />}
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          {secret === undefined ? text.close : text.copied}
        </Button>
      </div>
    </Dialog>
  )
}

/** The description is for developers, in English. */
function LastProblem({ problem }: { problem: NonNullable<OpenIdClient['last_problem']> }) {
  const text = useTexts().openid_clients
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid gap-1 rounded-md border border-bad/40 bg-bad-tint px-4 py-3 text-sm"
    >
      <h3 id={id} className="font-medium">
        {text.refused} · <Time at={problem.at} form="relative" />
      </h3>
      <p lang="en" className="break-words">
        {problem.description}
      </p>
    </section>
  )
}

function Value({ name, value, copy }: { name: string; value: string; copy: string }) {
  const id = useId()
  return (
    <div className="grid min-w-0 gap-1.5" role="group" aria-labelledby={id}>
      <p id={id} className="text-sm font-medium">
        {name}
      </p>
      <Copyable text={value} label={copy} />
    </div>
  )
}
