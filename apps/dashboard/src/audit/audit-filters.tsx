import { useNavigate, useSearch } from '@tanstack/react-router'
import { useOperationQuery } from '../api/queries.ts'
import type { OperationInput } from '../api/call.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { endOfDay, startOfDay } from '../ui/day-range.ts'
import { SelectField, TextField } from '../ui/field.tsx'
import { Filters } from '../ui/filters.tsx'
import { useDelayedText } from '../ui/use-delayed-text.ts'
import { actionLabel } from './action-labels.ts'

type Query = NonNullable<OperationInput<'listAudit'>['query']>
type Choice = readonly [value: string, label: string]

/** The filters of the log. They are in the address, as in the links of alerts and mails. */
export function AuditFilters() {
  const { audit: text, filters, common } = useTexts()
  const formats = useFormats()
  const filter = useSearch({ from: '/shell/$environment/audit' })
  const navigate = useNavigate()
  const set = (name: keyof typeof filter, value: string) => {
    const { [name]: _, ...others } = filter
    const search = value === '' ? others : { ...others, [name]: value }
    void navigate({ to: '.', search, replace: true, resetScroll: false })
  }
  const subject = useDelayedText(filter.subject, (value) => set('subject', value))
  const actions = Object.entries(text.actions).toSorted(([, a], [, b]) => a.localeCompare(b, formats.locale))
  const actors = useActors()
  const isListed = (choices: readonly Choice[], value = '') => choices.some(([each]) => each === value)
  return (
    <Filters
      active={Object.keys(filter).length}
      onClear={() => void navigate({ to: '.', search: {}, replace: true })}
    >
      <SelectField
        label={text.action}
        value={filter.action ?? ''}
        onChange={({ target }) => set('action', target.value)}
      >
        <option value="">{common.all}</option>
        {filter.action !== undefined && !isListed(actions, filter.action) && (
          <option value={filter.action}>{actionLabel(filter.action, text.actions)}</option>
        )}
        <Options choices={actions} />
      </SelectField>
      <SelectField
        label={text.actor}
        value={filter.actor ?? ''}
        onChange={({ target }) => set('actor', target.value)}
      >
        <option value="">{common.all}</option>
        {filter.actor !== undefined &&
          !isListed(
            actors.flatMap(({ choices }) => choices),
            filter.actor,
          ) && <option value={filter.actor}>{filter.actor}</option>}
        {actors.map(({ title, choices }) => (
          <optgroup key={title} label={title}>
            <Options choices={choices} />
          </optgroup>
        ))}
      </SelectField>
      <TextField label={text.subject} placeholder="vs_…" maxLength={128} {...subject} />
      <TextField
        type="date"
        label={filters.from}
        value={filter.from ?? ''}
        onChange={({ target }) => set('from', target.value)}
      />
      <TextField
        type="date"
        label={filters.to}
        value={filter.to ?? ''}
        onChange={({ target }) => set('to', target.value)}
      />
    </Filters>
  )
}

function Options({ choices }: { choices: readonly Choice[] }) {
  return choices.map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))
}

/** The team, the API keys of both environments, and whole kinds of actors. */
function useActors(): { title: string; choices: Choice[] }[] {
  const { audit: text, common } = useTexts()
  const team = useOperationQuery('listTeam', {})
  const testKeys = useOperationQuery('listKeys', { params: { environment: 'test' } })
  const liveKeys = useOperationQuery('listKeys', { params: { environment: 'live' } })
  const keys = [
    ...(testKeys.data?.data.map((key) => ({ ...key, environment: common.environments.test })) ?? []),
    ...(liveKeys.data?.data.map((key) => ({ ...key, environment: common.environments.live })) ?? []),
  ]
  return [
    {
      title: text.actors.members,
      choices: team.data?.members.map(({ id, name }) => [`member:${id}`, name] as const) ?? [],
    },
    {
      title: text.actors.keys,
      choices: keys.map(
        ({ id, name, prefix, environment }) =>
          [`key:${id}`, `${name === '' ? prefix : name} (${environment})`] as const,
      ),
    },
    { title: text.actors.kinds, choices: Object.entries(text.actors.of_kind) },
  ]
}

/** The filters as the service takes them. */
export function useAuditQuery(): Query {
  const { from, to, ...filter } = useSearch({ from: '/shell/$environment/audit' })
  return { ...filter, from: startOfDay(from), to: endOfDay(to) }
}
