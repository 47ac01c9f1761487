import { useState } from 'react'
import { mayGrantScope } from '@vidimus/contract/roles'
import type { Answer, Input } from '../api/call.ts'
import { useChange } from '../api/queries.ts'
import { useEnvironment, useMe } from '../shell/me.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, FormDialog } from '../ui/dialog.tsx'
import { Choices, TextField, Tick } from '../ui/field.tsx'
import { CodeBlock, Copyable } from '../ui/secret.tsx'

type Scope = Input<'createKey'>['json']['scopes'][number]
type Lifetime = Input<'createKey'>['json']['lifetime_days']

const scopes: readonly { scope: Scope; means: string; ticked: boolean }[] = [
  { scope: 'verifications:create', means: 'Ask wallets for claims.', ticked: true },
  { scope: 'verifications:read', means: 'Read results, with their claims, and usage.', ticked: true },
  { scope: 'devices:manage', means: 'Register, list and revoke tills.', ticked: true },
  {
    scope: 'verifications:delete',
    means:
      'Erase a verification and all that came of it, for good. Give it only to the system that answers erasure requests.',
    ticked: false,
  },
]
const lifetimes: readonly Lifetime[] = [undefined, 30, 90, 365]
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })

export function CreateKey({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [made, setMade] = useState<Answer<'createKey'>>()
  if (made !== undefined) return <ShowKey made={made} onClose={() => (setMade(undefined), onClose())} />
  return open ? <AskForKey onClose={onClose} onMade={setMade} /> : null
}

function AskForKey({
  onClose,
  onMade,
}: {
  onClose: () => void
  onMade: (made: Answer<'createKey'>) => void
}) {
  const environment = useEnvironment()
  const { role } = useMe().member
  const grantable = scopes.filter(({ scope }) => mayGrantScope(role, scope))
  const create = useChange('createKey', ['listKeys', 'getOverview'])
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState(
    () => new Set(grantable.flatMap(({ scope, ticked }) => (ticked ? [scope] : []))),
  )
  const [lifetime, setLifetime] = useState<Lifetime>()
  const [asked, setAsked] = useState(false)
  const [now] = useState(() => Date.now())
  const nameError = asked && name.trim() === '' ? 'Enter a name.' : undefined
  const scopeError = asked && chosen.size === 0
  const toggle = (scope: Scope) => {
    const next = new Set(chosen)
    if (!next.delete(scope)) next.add(scope)
    setChosen(next)
  }
  const submit = () => {
    setAsked(true)
    if (name.trim() === '' || chosen.size === 0) return
    const json = {
      name: name.trim(),
      scopes: [...chosen],
      ...(lifetime !== undefined && { lifetime_days: lifetime }),
    }
    create.mutate({ params: { environment }, json }, { onSuccess: onMade })
  }
  return (
    <FormDialog
      open
      sticky
      onClose={onClose}
      title={`Create a ${environment} key`}
      submit="Create key"
      onSubmit={submit}
      busy={create.isPending}
      error={create.error}
    >
      <TextField
        label="Name"
        hint="The system that will use it, such as “Web shop”."
        maxLength={64}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={nameError}
      />
      <Choices legend="Scopes">
        {grantable.map(({ scope, means }) => (
          <Tick
            key={scope}
            label={<code>{scope}</code>}
            hint={means}
            checked={chosen.has(scope)}
            onChange={() => toggle(scope)}
          />
        ))}
        {scopeError && (
          <p role="alert" className="text-sm text-bad">
            Tick at least one scope.
          </p>
        )}
      </Choices>
      <Choices legend="Expires">
        {lifetimes.map((days) => (
          <Tick
            key={days ?? 'never'}
            kind="radio"
            name="lifetime"
            label={days === undefined ? 'Never' : `After ${days} days`}
            hint={days === undefined ? undefined : `On ${day.format(now + days * 86_400_000)}`}
            checked={lifetime === days}
            onChange={() => setLifetime(days)}
          />
        ))}
      </Choices>
    </FormDialog>
  )
}

function ShowKey({ made: { key, secret }, onClose }: { made: Answer<'createKey'>; onClose: () => void }) {
  const example = `curl ${location.origin}/v1/verifications \\
  -H 'Authorization: Bearer ${secret}' \\
  -H 'Content-Type: application/json' \\
  -d '{"template": "age_over_18", "purpose": "Age check at the till"}'`
  return (
    <Dialog
      open
      sticky
      wide
      onClose={onClose}
      title="Copy your key now"
      description={`This is the only time “${key.name}” is shown. Keep it where your secrets are; if it is lost, revoke it and make another.`}
    >
      <Copyable text={secret} label="Copy key" />
      {key.scopes.includes('verifications:create') && (
        <div className="grid min-w-0 gap-2">
          <p className="text-sm font-medium">Try it</p>
          <CodeBlock text={example} label="Copy example" />
        </div>
      )}
      <div className="flex justify-end">
        <Button look="primary" onClick={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  )
}
