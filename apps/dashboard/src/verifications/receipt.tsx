import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { CircleCheck, CircleX, Download, Printer } from 'lucide-react'
import { config } from 'zod'
import { checkReceipt, readPublicKey, type ReceiptBody } from '@vidimus/evidence'
import type { Receipt } from '@vidimus/contract'
import { useOperationQuery } from '../api/queries.ts'
import { usePermission } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { BackLink } from '../ui/back-link.tsx'
import { Button, buttonClasses } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { CodeBlock } from '../ui/copyable.tsx'
import { Card, Fact, Facts, Page } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'

// Zod would otherwise compile functions from strings, which the page's CSP forbids and reports.
config({ jitless: true })

/** The receipt of a verification, to print or to hand over. This browser checks it, so that the service need not be trusted. */
export function ReceiptPage() {
  const text = useTexts().verifications.receipt
  const { environment, id } = useParams({ from: '/shell/$environment/verifications/$id/receipt' })
  const receipt = useOperationQuery('getReceipt', { params: { environment, id } })
  const { data } = receipt
  return (
    <Page
      title={text.title}
      description={<BackLink to="verifications" label={text.back} />}
      actions={
        data !== undefined && (
          <div className="flex flex-wrap gap-2 print:hidden">
            <Button icon={<Printer className="size-4" aria-hidden />} onClick={() => window.print()}>
              {text.print}
            </Button>
            <a
              href={`data:application/json,${encodeURIComponent(JSON.stringify(data))}`}
              download={`receipt-${id}.json`}
              className={buttonClasses()}
            >
              <Download className="size-4" aria-hidden /> {text.download}
            </a>
          </div>
        )
      }
    >
      {receipt.error !== null && <ErrorMessage error={receipt.error} retry={() => void receipt.refetch()} />}
      {receipt.isPending && <SkeletonRows rows={6} />}
      {data !== undefined && (
        <div className="grid gap-6">
          <ReceiptFacts body={JSON.parse(data.body) as ReceiptBody} /> {/* written by the service */}
          <ReceiptCheck receipt={data} />
          <Card title={text.json}>
            <CodeBlock text={JSON.stringify(data)} label={text.copy} />
          </Card>
        </div>
      )}
    </Page>
  )
}

function ReceiptFacts({ body }: { body: ReceiptBody }) {
  const { verifications, common } = useTexts()
  const text = verifications.receipt
  return (
    <Card>
      <Facts>
        <Fact name={verifications.detail.id}>
          <code className="break-all">{body.id}</code>
        </Fact>
        <Fact name={text.outcome}>
          {verifications.statuses[body.status]}
          {body.error_code !== undefined && <code> ({body.error_code})</code>}
        </Fact>
        <Fact name={common.template}>
          {body.template === undefined ? (
            <code className="break-all">{body.query_hash}</code>
          ) : (
            <>
              {body.template.key}
              <code className="block text-xs break-all text-soft">{body.template.version}</code>
            </>
          )}
        </Fact>
        <Fact name={common.created}>
          <Time at={body.created_at} form="exact" utc />
        </Fact>
        <Fact name={text.responded}>
          <Time at={body.responded_at} form="exact" utc />
        </Fact>
        <Fact name={text.verifier}>
          <code className="break-all">{body.client_id}</code>
        </Fact>
        <Fact name={text.checks}>
          {body.credentials.map(({ format, type = format, findings }, index) => (
            <span key={index} className="block">
              {type}:{' '}
              {findings.length === 0
                ? text.all_passed
                : findings.map(({ check, status }) => `${check} ${status}`).join(', ')}
            </span>
          ))}
        </Fact>
        <Fact name={text.result}>
          {body.result.sealed ? <code className="break-all">{body.result.hash}</code> : text.not_sealed}
        </Fact>
      </Facts>
    </Card>
  )
}

function ReceiptCheck({ receipt }: { receipt: Receipt }) {
  const text = useTexts().verifications.receipt
  const canReadKey = usePermission('read_audit')
  return (
    <Card title={text.check}>
      <div className="grid gap-3 text-sm">
        {canReadKey ? <CheckedReceipt receipt={receipt} /> : <p className="text-soft">{text.no_key}</p>}
        <p className="text-soft">{text.meaning}</p>
      </div>
    </Card>
  )
}

function CheckedReceipt({ receipt }: { receipt: Receipt }) {
  const text = useTexts().verifications.receipt
  const key = useOperationQuery('getAuditKey', {})
  const { data: keys } = key
  const report = useQuery({
    queryKey: ['checkedReceipt', receipt.salt, keys?.public_key],
    async queryFn() {
      const publicKey = readPublicKey(keys?.first_public_key ?? '')
      if (publicKey === undefined) throw new Error(text.no_key)
      return checkReceipt(receipt, { publicKey, handovers: keys?.handovers })
    },
    enabled: keys !== undefined,
  })
  if (key.error !== null) return <ErrorMessage error={key.error} retry={() => void key.refetch()} />
  if (report.error !== null) return <ErrorMessage error={report.error} inline />
  if (report.data === undefined) return <SkeletonRows rows={1} />
  const { valid, faults, signed_at } = report.data
  const Icon = valid ? CircleCheck : CircleX
  return (
    <div role="status" className={`rounded-md px-4 py-3 ${valid ? 'bg-good-tint' : 'bg-bad-tint'}`}>
      <p className={`flex gap-2.5 font-semibold ${valid ? 'text-good' : 'text-bad'}`}>
        <Icon className="mt-1 size-4 shrink-0" aria-hidden />
        {valid ? text.valid : text.invalid}
      </p>
      {faults.map((fault) => (
        <p key={fault} lang="en" className="pl-7">
          {fault}
        </p>
      ))}
      {signed_at !== undefined && (
        <p className="pl-7">
          {text.signed} <Time at={signed_at} form="exact" utc />
        </p>
      )}
    </div>
  )
}
