import { useState } from 'react'
import { mayGrantScope } from '@vidimus/contract/roles'
import type { OperationOutput, OperationInput } from '../api/call.ts'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment, useMe } from '../shell/shell-context.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, FormDialog } from '../ui/dialog.tsx'
import { ChoiceGroup, TextField, ChoiceField } from '../ui/field.tsx'
import { CodeBlock, Copyable } from '../ui/copyable.tsx'

type Scope = OperationInput<'createKey'>['json']['scopes'][number]
type Lifetime = OperationInput<'createKey'>['json']['lifetime_days']

const scopeDescriptions: Record<Scope, string> = {
  'verifications:create': 'Create verifications.',
  'verifications:read': 'Read results, including claims, and usage.',
  'devices:manage': 'Register, list and revoke devices.',
  'verifications:delete':
    'Erase verifications permanently. Grant it only to the system that handles erasure requests.',
}
const scopes = Object.keys(scopeDescriptions) as Scope[]
const lifetimes: readonly Lifetime[] = [undefined, 30, 90, 365]
const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })

export function CreateKey({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [createdKey, setCreatedKey] = useState<OperationOutput<'createKey'>>()
  if (createdKey !== undefined)
    return <CreatedKeyDialog createdKey={createdKey} onClose={() => (setCreatedKey(undefined), onClose())} />
  return open ? <KeyForm onClose={onClose} onCreated={setCreatedKey} /> : null
}

function KeyForm({
  onClose,
  onCreated,
}: {
  onClose: () => void
  onCreated: (createdKey: OperationOutput<'createKey'>) => void
}) {
  const environment = useEnvironment()
  const { role } = useMe().member
  const grantable = scopes.filter((scope) => mayGrantScope(role, scope))
  const create = useOperationMutation('createKey', ['listKeys', 'getOverview'])
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState(
    () => new Set<Scope>(grantable.filter((scope) => scope !== 'verifications:delete')),
  )
  const [lifetime, setLifetime] = useState<Lifetime>()
  const [submitted, setSubmitted] = useState(false)
  const [now] = useState(() => Date.now())
  const nameError = submitted && name.trim() === '' ? 'Enter a name.' : undefined
  const scopeError = submitted && chosen.size === 0
  const toggle = (scope: Scope) => {
    const next = new Set(chosen)
    if (!next.delete(scope)) next.add(scope)
    setChosen(next)
  }
  const submit = () => {
    setSubmitted(true)
    if (name.trim() === '' || chosen.size === 0) return
    const json = {
      name: name.trim(),
      scopes: [...chosen],
      ...(lifetime !== undefined && { lifetime_days: lifetime }),
    }
    create.mutate({ params: { environment }, json }, { onSuccess: onCreated })
  }
  return (
    <FormDialog
      open
      persistent
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
      <ChoiceGroup legend="Scopes">
        {grantable.map((scope) => (
          <ChoiceField
            key={scope}
            label={<code>{scope}</code>}
            hint={scopeDescriptions[scope]}
            checked={chosen.has(scope)}
            onChange={() => toggle(scope)}
          />
        ))}
        {scopeError && (
          <p role="alert" className="text-sm text-bad">
            Select at least one scope.
          </p>
        )}
      </ChoiceGroup>
      <ChoiceGroup legend="Expires">
        {lifetimes.map((days) => (
          <ChoiceField
            key={days ?? 'never'}
            kind="radio"
            name="lifetime"
            label={days === undefined ? 'Never' : `After ${days} days`}
            hint={days === undefined ? undefined : `On ${dateFormat.format(now + days * 86_400_000)}`}
            checked={lifetime === days}
            onChange={() => setLifetime(days)}
          />
        ))}
      </ChoiceGroup>
    </FormDialog>
  )
}

function CreatedKeyDialog({
  createdKey: { key, secret },
  onClose,
}: {
  createdKey: OperationOutput<'createKey'>
  onClose: () => void
}) {
  const example = `curl ${location.origin}/v1/verifications \\
  -H 'Authorization: Bearer ${secret}' \\
  -H 'Content-Type: application/json' \\
  -d '{"template": "age_over_18", "purpose": "Age check at the till"}'`
  return (
    <Dialog
      open
      persistent
      wide
      onClose={onClose}
      title="Copy your key now"
      description={`“${key.name}” is shown only once. Store it with your other secrets. If you lose it, revoke it and create a new one.`}
    >
      <Copyable text={secret} label="Copy key" />
      {key.scopes.includes('verifications:create') && (
        <div className="grid min-w-0 gap-2">
          <p className="text-sm font-medium">Try it</p>
          <CodeBlock text={example} label="Copy example" />
        </div>
      )}
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  )
}
