import { useMutation } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { download, operationUrl, type OperationInput } from '../api/call.ts'
import { useOperationQuery } from '../api/queries.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import { useTemplates } from '../templates/template-name.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Button, buttonClasses } from '../ui/button.tsx'
import { endOfDay, startOfDay } from '../ui/day-range.ts'
import { ErrorMessage } from '../ui/error-message.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Filters } from '../ui/filters.tsx'
import { useDelayedText } from '../ui/use-delayed-text.ts'

type Query = NonNullable<OperationInput<'listVerifications'>['query']>

const declined = 'declined'
/** What the charts count as declined is a failure with this reason. */
const declinedFilter = { status: 'failed', error_code: 'holder_declined' }

function isDeclined({ status, error_code }: { status?: string; error_code?: string }): boolean {
  return status === declinedFilter.status && error_code === declinedFilter.error_code
}

/** The filters of the list. They are in the address, so that a link shows the same list. */
export function VerificationFilters() {
  const texts = useTexts()
  const text = texts.filters
  const environment = useEnvironment()
  const filter = useSearch({ from: '/shell/$environment/verifications' })
  const templates = useTemplates()
  const devices = useOperationQuery('listDevices', { params: { environment }, query: { limit: '100' } })
  const navigate = useNavigate()
  const set = (name: keyof typeof filter, value: string) => {
    const { [name]: _, ...others } = filter
    // A text is applied a moment later, when the focus may be further down: the page stays where it is.
    const search = value === '' ? others : { ...others, [name]: value }
    void navigate({ to: '.', search, replace: true, resetScroll: false })
  }
  const setStatus = (value: string) => {
    if (value !== declined && !isDeclined(filter)) return set('status', value)
    const { status: _, error_code: __, ...others } = filter
    const chosen = value === declined ? declinedFilter : value === '' ? {} : { status: value }
    void navigate({ to: '.', search: { ...others, ...chosen }, replace: true, resetScroll: false })
  }
  const template = useDelayedText(filter.template, (value) => set('template', value))
  const metadata = useDelayedText(filter.metadata, (value) => set('metadata', value))
  return (
    <Filters
      active={Object.keys(filter).length}
      onClear={() => void navigate({ to: '.', search: {}, replace: true })}
    >
      <SelectField
        label={texts.common.status}
        value={isDeclined(filter) ? declined : (filter.status ?? '')}
        onChange={({ target }) => setStatus(target.value)}
      >
        <option value="">{texts.common.all}</option>
        {Object.entries(texts.verifications.statuses).map(([status, label]) => (
          <option key={status} value={status}>
            {label}
          </option>
        ))}
        <option value={declined}>{texts.figures.outcomes.declined}</option>
      </SelectField>
      <TextField
        label={texts.common.template}
        placeholder={text.template_example}
        list="template-keys"
        maxLength={64}
        {...template}
      />
      <datalist id="template-keys">
        {templates.data?.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </datalist>
      <SelectField
        label={text.device}
        value={filter.device_id ?? ''}
        onChange={({ target }) => set('device_id', target.value)}
      >
        <option value="">{texts.common.all}</option>
        {devices.data?.data.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={texts.verifications.failure_reason}
        value={filter.error_code ?? ''}
        onChange={({ target }) => set('error_code', target.value)}
      >
        <option value="">{texts.common.all}</option>
        {Object.entries(texts.verifications.failures).map(([code, label]) => (
          <option key={code} value={code}>
            {label}
          </option>
        ))}
      </SelectField>
      <TextField label={text.metadata} placeholder={text.metadata_example} maxLength={2048} {...metadata} />
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
    </Filters>
  )
}

/** The filters as the service takes them. */
export function useVerificationQuery(): Query {
  const { from, to, ...filter } = useSearch({ from: '/shell/$environment/verifications' })
  return {
    ...filter,
    status: filter.status as Query['status'],
    after: startOfDay(from),
    before: endOfDay(to),
  }
}

export function VerificationDownloads() {
  const text = useTexts().filters
  const environment = useEnvironment()
  const canReadClaims = usePermission('read_claims')
  const { limit: _, ...query } = useVerificationQuery()
  const input = { params: { environment }, query }
  const claims = useMutation({
    mutationFn: () => download('exportClaims', input, `claims-${environment}.csv`),
  })
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <a
          href={operationUrl('exportVerifications', input)}
          download={`verifications-${environment}.csv`}
          className={buttonClasses('secondary', 'small')}
        >
          <Download className="size-4" aria-hidden /> {text.download}
        </a>
        {canReadClaims && (
          <Button
            size="small"
            icon={<Download className="size-4" aria-hidden />}
            busy={claims.isPending}
            onClick={() => claims.mutate()}
          >
            {text.download_with_claims}
          </Button>
        )}
        <p className="text-xs text-soft">{text.download_note}</p>
      </div>
      {claims.error !== null && <ErrorMessage error={claims.error} inline />}
    </div>
  )
}
