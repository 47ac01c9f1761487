import type { ReactNode } from 'react'
import type { OperationInput } from '../api/call.ts'
import { useOperationQuery } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { SelectField, TextField } from '../ui/field.tsx'
import { Filters } from '../ui/filters.tsx'
import { fromLocalInput, toLocalInput } from './local-input.ts'

type Query = NonNullable<OperationInput<'listDeliveries'>['query']>
/** As in the address of the page. `receiver` is an endpoint, which the address of a delivery has too. */
export type DeliveryFilter = Partial<
  Record<'outcome' | 'receiver' | 'event_type' | 'after' | 'before' | 'verification_id', string>
>

/** The filters as the service takes them. */
export function deliveryQuery({ receiver, outcome, event_type, ...filter }: DeliveryFilter): Query {
  return {
    ...filter,
    endpoint_id: receiver,
    outcome: outcome as Query['outcome'],
    event_type: event_type as Query['event_type'],
  }
}

type Props = { filter: DeliveryFilter; onChange: (filter: DeliveryFilter) => void }

/** Filters of the delivery log: outcome, receiver, event, time and verification. */
export function DeliveryFilters({ filter, onChange }: Props) {
  const { webhooks, webhook_endpoints: text, common } = useTexts()
  const environment = useEnvironment()
  const endpoints = useOperationQuery('listWebhookEndpoints', { params: { environment } })
  const change = (name: keyof DeliveryFilter) => (value: string | undefined) => {
    const { [name]: _, ...others } = filter
    onChange(value === undefined || value === '' ? others : { ...others, [name]: value })
  }
  return (
    <Filters active={Object.keys(filter).length} onClear={() => onChange({})}>
      <Choice label={webhooks.outcome} value={filter.outcome} onChange={change('outcome')}>
        <option value="">{common.all}</option>
        <option value="succeeded">{webhooks.deliveries.delivered}</option>
        <option value="unsuccessful">{webhooks.deliveries.not_delivered}</option>
      </Choice>
      <Choice label={text.filter.receiver} value={filter.receiver} onChange={change('receiver')}>
        <option value="">{common.all}</option>
        <option value="session">{text.filter.session}</option>
        {endpoints.data?.data.map(({ id, url, description }) => (
          <option key={id} value={id}>
            {description === '' ? url : description}
          </option>
        ))}
      </Choice>
      <Choice label={text.filter.event} value={filter.event_type} onChange={change('event_type')}>
        <option value="">{common.all}</option>
        {Object.entries(text.event_types).map(([type, name]) => (
          <option key={type} value={type}>
            {name}
          </option>
        ))}
      </Choice>
      <AsOf label={text.filter.from} value={filter.after} onChange={change('after')} />
      <AsOf label={text.filter.until} value={filter.before} onChange={change('before')} />
      <TextField
        label={webhooks.verification}
        placeholder="vs_…"
        maxLength={128}
        value={filter.verification_id ?? ''}
        onChange={({ target }) => change('verification_id')(target.value.trim())}
      />
    </Filters>
  )
}

type ChoiceProps = {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
}

function Choice({ label, value, onChange, children }: ChoiceProps & { children: ReactNode }) {
  return (
    <SelectField label={label} value={value ?? ''} onChange={({ target }) => onChange(target.value)}>
      {children}
    </SelectField>
  )
}

function AsOf({ label, value, onChange }: ChoiceProps) {
  return (
    <TextField
      label={label}
      type="datetime-local"
      value={value === undefined ? '' : toLocalInput(new Date(value))}
      onChange={({ target }) => onChange(fromLocalInput(target.value))}
    />
  )
}
