import { useEffect, useRef, useState } from 'react'
import { CircleCheck, CircleX, ShieldCheck } from 'lucide-react'
import { operationUrl } from '../api/call.ts'
import { useOperationQuery } from '../api/queries.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { TextField } from '../ui/field.tsx'
import { Card, Fact, Facts } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import type { CheckMessage, CheckRequest } from './check-export.worker.ts'

const integerFormat = new Intl.NumberFormat()

/** Checks the audit chain in the browser, against the signed checkpoint, so that the service need not be trusted. */
export function CheckChain() {
  const key = useOperationQuery('getAuditKey', {})
  const [message, startCheck] = useChainCheck()
  const public_key = key.data?.public_key
  const running = message?.kind === 'progress'
  const start = (source: CheckRequest['source']) => {
    if (public_key !== undefined) startCheck({ source, public_key })
  }
  return (
    <Card
      title="Integrity check"
      description="Each entry is linked to the one before it, and the last to a signed checkpoint. Your browser checks every link itself; anyone with an export can do the same offline."
      actions={
        <Button
          variant="primary"
          icon={<ShieldCheck className="size-4" aria-hidden />}
          busy={running}
          disabled={public_key === undefined}
          onClick={() => start(operationUrl('exportAudit', {}))}
        >
          Check now
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
            label="Or check a saved export"
            type="file"
            accept=".jsonl,application/jsonl"
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
        setMessage({ kind: 'error', message: 'The check could not run.' }),
      )
      setMessage({ kind: 'progress', entries: 0 })
      newWorker.postMessage(request)
    },
  ]
}

function CheckResult({ message }: { message: CheckMessage }) {
  if (message.kind === 'progress')
    return (
      <p className="text-sm text-soft tabular">{integerFormat.format(message.entries)} entries checked…</p>
    )
  if (message.kind === 'error') return <ErrorMessage error={new Error(message.message)} inline />
  const { valid, entries, removed, signed_at, faults, fault_count, head } = message.report
  const Icon = valid ? CircleCheck : CircleX
  return (
    <div className={`grid gap-3 rounded-md px-4 py-3 ${valid ? 'bg-good-tint' : 'bg-bad-tint'}`}>
      <p className={`flex gap-2.5 font-semibold ${valid ? 'text-good' : 'text-bad'}`}>
        <Icon className="mt-1 size-4 shrink-0" aria-hidden />
        {valid
          ? `Chain intact: ${integerFormat.format(entries)} entries, none changed or missing.`
          : `Chain broken: ${integerFormat.format(fault_count)} ${fault_count === 1 ? 'problem' : 'problems'} found.`}
      </p>
      {!valid && (
        <ul className="grid gap-1 pl-7 text-sm">
          {faults.slice(0, 5).map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      {valid && (
        <Facts>
          {signed_at !== undefined && (
            <Fact name="Signed">
              <Time at={signed_at} form="exact" utc />
            </Fact>
          )}
          <Fact name="Erased texts">
            {removed === 0 ? 'None' : `${integerFormat.format(removed)} entries, by erasure or retention`}
          </Fact>
          {head !== undefined && (
            <Fact name="Last hash">
              <code className="break-all">{head}</code>
            </Fact>
          )}
        </Facts>
      )}
    </div>
  )
}
