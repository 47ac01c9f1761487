import { useNavigate, useSearch } from '@tanstack/react-router'
import { useOperationQuery } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { SelectField, TextField } from '../ui/field.tsx'
import { Filters } from '../ui/filters.tsx'
import { useDelayedText } from '../ui/use-delayed-text.ts'

export function RequestFilters() {
  const texts = useTexts()
  const text = texts.requests.filters
  const environment = useEnvironment()
  const filter = useSearch({ from: '/shell/$environment/requests' })
  const keys = useOperationQuery('listKeys', { params: { environment } })
  const devices = useOperationQuery('listDevices', { params: { environment }, query: { limit: '100' } })
  const navigate = useNavigate()
  const set = (name: keyof typeof filter, value: string) => {
    const { [name]: _, ...others } = filter
    // A text is applied a moment later, when the focus may be further down: the page stays where it is.
    const search = value === '' ? others : { ...others, [name]: value }
    void navigate({ to: '.', search, replace: true, resetScroll: false })
  }
  const route = useDelayedText(filter.route, (value) => set('route', value))
  const errorCode = useDelayedText(filter.error_code, (value) => set('error_code', value))
  const requestId = useDelayedText(filter.request_id, (value) => set('request_id', value))
  return (
    <Filters
      active={Object.keys(filter).length}
      onClear={() => void navigate({ to: '.', search: {}, replace: true })}
    >
      <TextField label={text.request_id} hint={text.request_id_hint} maxLength={64} {...requestId} />
      <SelectField
        label={text.status}
        value={filter.status ?? ''}
        onChange={({ target }) => set('status', target.value)}
      >
        <option value="">{texts.common.all}</option>
        {Object.entries(texts.requests.classes).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={text.caller}
        value={filter.caller ?? ''}
        onChange={({ target }) => set('caller', target.value)}
      >
        <option value="">{texts.common.all}</option>
        <optgroup label={text.keys}>
          {keys.data?.data.map(({ id, name, prefix }) => (
            <option key={id} value={`key:${id}`}>
              {name === '' ? prefix : name}
            </option>
          ))}
        </optgroup>
        <optgroup label={text.devices}>
          {devices.data?.data.map(({ id, name }) => (
            <option key={id} value={`device:${id}`}>
              {name}
            </option>
          ))}
        </optgroup>
      </SelectField>
      <TextField label={text.route} placeholder={text.route_example} maxLength={128} {...route} />
      <TextField
        label={text.error_code}
        placeholder={text.error_code_example}
        maxLength={64}
        {...errorCode}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          type="date"
          label={text.from}
          value={filter.from ?? ''}
          onChange={({ target }) => set('from', target.value)}
        />
        <TextField
          type="date"
          label={text.to}
          value={filter.to ?? ''}
          onChange={({ target }) => set('to', target.value)}
        />
      </div>
    </Filters>
  )
}
