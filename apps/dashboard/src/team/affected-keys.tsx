import type { Key } from '@vidimus/contract'
import { useOperationQuery } from '../api/queries.ts'
import { useTexts } from '../texts/texts-context.ts'
import { ErrorMessage } from '../ui/error-message.tsx'
import { ChoiceGroup, ChoiceField } from '../ui/field.tsx'

export type KeysDecision = 'revoke' | 'keep'

type AffectedKeys = {
  legend: string
  /** Which of the active keys are affected. */
  affects: (key: Key) => boolean
  value: KeysDecision
  onChange: (value: KeysDecision) => void
}

/** Lists the active API keys that a change to a member affects, in both environments, and asks whether to revoke them. */
export function AffectedKeys({ legend, affects, value, onChange }: AffectedKeys) {
  const { team, common } = useTexts()
  const text = team.keys
  const test = useOperationQuery('listKeys', { params: { environment: 'test' } })
  const live = useOperationQuery('listKeys', { params: { environment: 'live' } })
  const error = test.error ?? live.error
  if (error !== null) return <ErrorMessage error={error} inline />
  const keys = [...(live.data?.data ?? []), ...(test.data?.data ?? [])].filter(
    (key) => key.revoked_at === undefined && !key.expired && affects(key),
  )
  if (keys.length === 0) return null
  return (
    <ChoiceGroup legend={legend}>
      <ul className="max-h-40 overflow-y-auto rounded border border-edge px-3 py-2 text-sm">
        {keys.map(({ id, name, prefix, environment }) => (
          <li key={id} className="py-0.5">
            <span className="font-medium">{name}</span>{' '}
            <span className="text-soft">
              <code>{prefix}…</code>, {common.environments[environment]}
            </span>
          </li>
        ))}
      </ul>
      <ChoiceField
        label={text.revoke}
        hint={text.revoke_hint}
        checked={value === 'revoke'}
        onChange={() => onChange(value === 'revoke' ? 'keep' : 'revoke')}
      />
    </ChoiceGroup>
  )
}
