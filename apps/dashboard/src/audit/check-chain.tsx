import { useEffect, useRef, useState } from 'react'
import { CircleCheck, CircleX, ShieldCheck } from 'lucide-react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { operationUrl } from '../api/call.ts'
import { useOperationQuery } from '../api/queries.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { TextField } from '../ui/field.tsx'
import { Card, Fact, Facts } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import type { CheckMessage, CheckRequest, ReceiptsReport } from './check-export.worker.ts'

/** Checks the audit chain in the browser, against the signed checkpoint, so that the service need not be trusted. */
export function CheckChain() {
  const text = useTexts().audit.check
  const key = useOperationQuery('getAuditKey', {})
  const [message, startCheck] = useChainCheck()
  const keys = key.data && { public_key: key.data.first_public_key, handovers: key.data.handovers }
  const running = message?.kind === 'progress'
  const start = (source: CheckRequest['source']) => {
    if (keys !== undefined) startCheck({ source, ...keys })
  }
  return (
    <Card
      title={text.title}
      description={text.description}
      actions={
        <Button
          variant="primary"
          icon={<ShieldCheck className="size-4" aria-hidden />}
          busy={running}
          disabled={keys === undefined}
          onClick={() => start(operationUrl('exportAudit', {}))}
        >
          {text.start}
        </Button>
      }
    >
      <div className="grid gap-4">
        {key.error !== null && <ErrorMessage error={key.error} retry={() => void key.refetch()} />}
        <div role="status" className="empty:hidden">
          {message !== undefined && <CheckResult message={message} />}
        </div>
        <div className="max-w-sm">
          <TextField
            label={text.file}
            type="file"
            accept=".jsonl,.json,application/jsonl,application/json"
            onChange={({ target }) => {
              const file = target.files?.[0]
              if (file !== undefined) start(file)
            }}
          />
        </div>
      </div>
    </Card>
  )
}

/** Runs one worker at a time: a new check terminates the running one. */
function useChainCheck(): [CheckMessage | undefined, (request: CheckRequest) => void] {
  const [message, setMessage] = useState<CheckMessage>()
  const worker = useRef<Worker>(undefined)
  useEffect(() => () => worker.current?.terminate(), [])
  return [
    message,
    (request) => {
      worker.current?.terminate()
      const newWorker = new Worker(new URL('check-export.worker.ts', import.meta.url), { type: 'module' })
      worker.current = newWorker
      newWorker.addEventListener('message', ({ data }: MessageEvent<CheckMessage>) => setMessage(data))
      newWorker.addEventListener('error', () =>
        setMessage({ kind: 'error', error: { code: 'could_not_run' } }),
      )
      setMessage({ kind: 'progress', entries: 0 })
      newWorker.postMessage(request)
    },
  ]
}

function CheckResult({ message }: { message: CheckMessage }) {
  const text = useTexts().audit.check
  const formats = useFormats()
  if (message.kind === 'progress')
    return <p className="text-sm text-soft tabular">{formats.count(text.progress, message.entries)}</p>
  if (message.kind === 'error') {
    const { code, status = 0 } = message.error
    return <ErrorMessage error={new Error(fillIn(text.errors[code], { status }))} inline />
  }
  if (message.kind === 'receipts') return <ReceiptsResult report={message.report} />
  const { valid, entries, removed, signed_at, faults, fault_count, head } = message.report
  const Icon = valid ? CircleCheck : CircleX
  return (
    <div className={`grid gap-3 rounded-md px-4 py-3 ${valid ? 'bg-good-tint' : 'bg-bad-tint'}`}>
      <p className={`flex gap-2.5 font-semibold ${valid ? 'text-good' : 'text-bad'}`}>
        <Icon className="mt-1 size-4 shrink-0" aria-hidden />
        {valid ? formats.count(text.intact, entries) : formats.count(text.broken, fault_count)}
      </p>
      {!valid && (
        <ul className="grid gap-1 pl-7 text-sm" lang="en">
          {faults.slice(0, 5).map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      {valid && (
        <Facts>
          {signed_at !== undefined && (
            <Fact name={text.signed}>
              <Time at={signed_at} form="exact" utc />
            </Fact>
          )}
          <Fact name={text.erased_texts}>
            {removed === 0 ? text.erased_none : formats.count(text.erased_count, removed)}
          </Fact>
          {head !== undefined && (
            <Fact name={text.last_hash}>
              <code className="break-all">{head}</code>
            </Fact>
          )}
        </Facts>
      )}
    </div>
  )
}

function ReceiptsResult({ report: { valid, faults } }: { report: ReceiptsReport }) {
  const text = useTexts().audit.check
  const formats = useFormats()
  const isValid = faults.length === 0
  const Icon = isValid ? CircleCheck : CircleX
  return (
    <div className={`grid gap-3 rounded-md px-4 py-3 ${isValid ? 'bg-good-tint' : 'bg-bad-tint'}`}>
      <p className={`flex gap-2.5 font-semibold ${isValid ? 'text-good' : 'text-bad'}`}>
        <Icon className="mt-1 size-4 shrink-0" aria-hidden />
        {isValid ? formats.count(text.receipts, valid) : formats.count(text.bad_receipts, faults.length)}
      </p>
      <ul className="grid gap-1 pl-7 text-sm" lang="en">
        {faults.slice(0, 5).map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
      <p className="pl-7 text-sm">{text.receipt_meaning}</p>
    </div>
  )
}
