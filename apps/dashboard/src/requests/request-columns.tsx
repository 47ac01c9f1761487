import type { LoggedRequest } from '@vidimus/contract'
import { useOperationQuery } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import type { Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'

/** The columns of the log, with the names of keys and devices where they are known. */
export function useRequestColumns(): Column<LoggedRequest>[] {
  const text = useTexts().requests
  const formats = useFormats()
  const nameOf = useCallerNames()
  return [
    {
      title: text.request,
      rowHeader: true,
      cell: ({ method, route, request_id }) => (
        <span className="grid gap-0.5">
          <code className="text-xs break-all">
            <span className="font-semibold">{method}</span> {route}
          </code>
          <span className="flex items-center gap-1 text-xs text-soft">
            <code title={request_id} className="max-w-52 truncate">
              {request_id}
            </code>
            <CopyButton text={request_id} label={text.copy_id} />
          </span>
        </span>
      ),
    },
    {
      title: text.status,
      cell: ({ status, error_code, warning, idempotency }) => (
        <span className="grid justify-items-start gap-1 max-sm:justify-items-end">
          <span className="flex gap-1.5">
            <Badge tone={toneOf(status)}>{status}</Badge>
            {idempotency !== undefined && <Badge>{text.idempotency[idempotency]}</Badge>}
          </span>
          {error_code !== undefined && <code className="text-xs text-soft">{error_code}</code>}
          {warning !== undefined && (
            <span lang="en" className="max-w-72 text-xs break-words text-wait">
              {warning}
            </span>
          )}
          {status === 499 && <span className="text-xs text-soft">{text.closed_by_caller}</span>}
        </span>
      ),
    },
    { title: text.caller, cell: (row) => <span className="break-words">{nameOf(row)}</span> },
    {
      title: text.duration,
      cell: ({ duration_ms }) => (
        <span className="tabular whitespace-nowrap">
          {formats.decimal(duration_ms, duration_ms < 10 ? 1 : 0)} ms
        </span>
      ),
    },
    { title: text.time, end: true, cell: ({ at }) => <Time at={at} form="exact" /> },
  ]
}

function useCallerNames(): (request: LoggedRequest) => string {
  const environment = useEnvironment()
  const { member } = useTexts().requests
  const keys = useOperationQuery('listKeys', { params: { environment } })
  const devices = useOperationQuery('listDevices', { params: { environment }, query: { limit: '100' } })
  const names = new Map([
    ...(keys.data?.data ?? []).map(({ id, name, prefix }) => [id, name === '' ? prefix : name] as const),
    ...(devices.data?.data ?? []).map(({ id, name }) => [id, name] as const),
  ])
  return ({ key_id, device_id, member_id }) => {
    const id = key_id ?? device_id
    if (id !== undefined) return names.get(id) ?? `${id.slice(0, 8)}…`
    return member_id === undefined ? '–' : member
  }
}

function toneOf(status: number): Tone {
  if (status >= 500) return 'bad'
  return status >= 400 ? 'wait' : 'good'
}
