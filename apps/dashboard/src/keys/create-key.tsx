import { useState } from 'react'
import { mayGrantScope } from '@vidimus/contract/roles'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import type { OperationOutput, OperationInput } from '../api/call.ts'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment, useMe } from '../shell/shell-context.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { ChoiceGroup, TextField, ChoiceField } from '../ui/field.tsx'
import { CreatedKeyDialog } from './created-key.tsx'

type Scope = OperationInput<'createKey'>['json']['scopes'][number]
type Lifetime = OperationInput<'createKey'>['json']['lifetime_days']

const scopes = {
  integrate: [
    'verifications:create',
    'verifications:read',
    'devices:manage',
    'webhooks:manage',
    'links:manage',
    'verifications:delete',
  ],
  observe: ['config:read', 'members:read', 'requests:read', 'audit:read'],
  manage: [
    'templates:manage',
    'settings:manage',
    'trust:manage',
    'openid_clients:manage',
    'sealing:manage',
    'keys:manage',
  ],
} as const satisfies Record<string, readonly Scope[]>
const groups = ['integrate', 'observe', 'manage'] as const
/** What most servers need. Anything more is a decision (DASH-1). */
const defaultScopes = ['verifications:create', 'verifications:read'] as const satisfies readonly Scope[]
const lifetimes: readonly Lifetime[] = [undefined, 30, 90, 365]
/** What a key that changes the configuration may have. */
const managementLifetimes: readonly Lifetime[] = [30, 90]

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
  const { keys, common } = useTexts()
  const text = keys.form
  const formats = useFormats()
  const { role } = useMe().member
  const create = useOperationMutation('createKey', ['listKeys', 'getOverview'])
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState(
    () => new Set<Scope>(defaultScopes.filter((scope) => mayGrantScope(role, scope))),
  )
  const [wantedLifetime, setLifetime] = useState<Lifetime>()
  const offered = scopes.manage.some((scope) => chosen.has(scope)) ? managementLifetimes : lifetimes
  const lifetime = offered.includes(wantedLifetime) ? wantedLifetime : offered.at(-1)
  const [submitted, setSubmitted] = useState(false)
  const [now] = useState(() => Date.now())
  const nameError = submitted && name.trim() === '' ? text.name_missing : undefined
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
      title={text.titles[environment]}
      submit={keys.create}
      onSubmit={submit}
      busy={create.isPending}
      error={create.error}
    >
      <TextField
        label={common.name}
        hint={text.name_hint}
        maxLength={64}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={nameError}
      />
      {groups.map((group) => {
        const grantable = scopes[group].filter((scope) => mayGrantScope(role, scope))
        if (grantable.length === 0) return null
        return (
          <ChoiceGroup key={group} legend={text.scope_groups[group]}>
            {grantable.map((scope) => (
              <ChoiceField
                key={scope}
                label={<code>{scope}</code>}
                hint={text.scope_hints[scope]}
                checked={chosen.has(scope)}
                onChange={() => toggle(scope)}
              />
            ))}
          </ChoiceGroup>
        )
      })}
      {scopeError && (
        <p role="alert" className="text-sm text-bad">
          {text.scope_missing}
        </p>
      )}
      <ChoiceGroup legend={keys.expires}>
        {offered.map((days) => (
          <ChoiceField
            key={days ?? 'never'}
            kind="radio"
            name="lifetime"
            label={days === undefined ? text.never : formats.count(text.after_days, days)}
            hint={
              days === undefined
                ? undefined
                : fillIn(text.on, { day: formats.day(new Date(now + days * 86_400_000)) })
            }
            checked={lifetime === days}
            onChange={() => setLifetime(days)}
          />
        ))}
      </ChoiceGroup>
    </FormDialog>
  )
}
