import type { Key } from '@vidimus/contract'
import { useOperationQuery } from '../api/queries.ts'
import { ErrorMessage } from '../ui/error-message.tsx'
import { ChoiceGroup, ChoiceField } from '../ui/field.tsx'

export type KeysDecision = 'revoke' | 'keep'

type AffectedKeys = {
  legend: string
  /** Which of the keys in use are meant. */
  affects: (key: Key) => boolean
  value: KeysDecision
  onChange: (value: KeysDecision) => void
}

/** Lists the API keys that a change of a member affects, in both environments, and asks whether to revoke them. */
export function AffectedKeys({ legend, affects, value, onChange }: AffectedKeys) {
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
              <code>{prefix}…</code>, {environment}
            </span>
          </li>
        ))}
      </ul>
      <ChoiceField
        label="Revoke these keys"
        hint="Whatever uses them stops working at once. A key that is kept can still be used by anybody who copied it."
        checked={value === 'revoke'}
        onChange={() => onChange(value === 'revoke' ? 'keep' : 'revoke')}
      />
    </ChoiceGroup>
  )
}
