import { useParams } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import type { OperationOutput } from '../api/call.ts'
import { useOperationQuery, useOperationMutation } from '../api/queries.ts'
import { usePermission } from '../shell/shell-context.ts'
import { BackLink } from '../ui/back-link.tsx'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card, Fact, Facts, Page } from '../ui/page.tsx'
import { CodeBlock } from '../ui/copyable.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'
import { OutcomeBadge } from './outcome-badge.tsx'

type Detail = OperationOutput<'getDelivery'>

const stateLabels: Record<Detail['state'], [Tone, string]> = {
  delivered: ['good', 'Delivered'],
  waiting: ['wait', 'Waiting for next attempt'],
  sending: ['wait', 'Sending'],
  exhausted: ['bad', 'Not delivered'],
  gone: ['plain', 'No longer stored'],
}

/** One event with all its attempts and its payload. */
export function DeliveryDetail() {
  const { environment, id, attempt } = useParams({ from: '/shell/$environment/webhooks/$id/$attempt' })
  const detail = useOperationQuery('getDelivery', { params: { environment, id, attempt } })
  const resend = useOperationMutation('resendWebhook', ['getDelivery', 'listDeliveries'])
  const canSend = usePermission('send_webhooks')
  const showToast = useToast()
  const resendEvent = () =>
    resend.mutate(
      { params: { environment, id } },
      { onSuccess: () => showToast('Event queued for another attempt.') },
    )
  return (
    <Page
      title="Delivery"
      description={<BackLink to="webhooks" label="All deliveries" />}
      actions={
        canSend && (
          <Button
            variant="primary"
            icon={<RotateCw className="size-4" aria-hidden />}
            busy={resend.isPending}
            onClick={resendEvent}
          >
            Resend
          </Button>
        )
      }
    >
      <div className="grid gap-6">
        {resend.error !== null && <ErrorMessage error={resend.error} inline />}
        {detail.error !== null && <ErrorMessage error={detail.error} retry={() => void detail.refetch()} />}
        {detail.isPending && <SkeletonRows rows={4} />}
        {detail.data !== undefined && (
          <DeliveryParts detail={detail.data} environment={environment} id={id} />
        )}
      </div>
    </Page>
  )
}

function DeliveryParts({ detail, environment, id }: { detail: Detail; environment: string; id: string }) {
  const [tone, label] = stateLabels[detail.state]
  return (
    <>
      <Card title="Event">
        <Facts>
          <Fact name="State">
            <Badge tone={tone} dot>
              {label}
            </Badge>
          </Fact>
          {detail.next_attempt_at !== undefined && (
            <Fact name="Next attempt">
              <Time at={detail.next_attempt_at} form="exact" utc />
            </Fact>
          )}
          <Fact name="Event ID">
            <code>{detail.event_id}</code>
          </Fact>
          <Fact name="Verification">
            <code>{id}</code>
          </Fact>
          {detail.url !== undefined && (
            <Fact name="Sent to">
              <code>{detail.url}</code>
            </Fact>
          )}
        </Facts>
      </Card>
      <section className="grid gap-3">
        <h2 className="font-semibold">Attempts</h2>
        <Table
          caption="Delivery attempts"
          rows={detail.attempts}
          rowKey={(each) => String(each.attempt)}
          columns={columns}
        />
      </section>
      {detail.payload !== undefined && <Payload masked={detail.payload} environment={environment} id={id} />}
    </>
  )
}

const columns: readonly Column<Detail['delivery']>[] = [
  {
    title: 'Attempt',
    rowHeader: true,
    cell: ({ attempt }) => <span className="font-medium">Attempt {attempt}</span>,
  },
  { title: 'Outcome', cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
  {
    title: 'Response',
    cell: ({ status, error }) => (
      <span>{[status, error].filter((part) => part !== undefined).join(': ') || '–'}</span>
    ),
  },
  {
    title: 'Duration',
    cell: ({ duration_ms }) => (
      <span className="tabular">{duration_ms === undefined ? '–' : `${duration_ms} ms`}</span>
    ),
  },
  { title: 'Time', end: true, cell: ({ attempted_at }) => <Time at={attempted_at} form="exact" utc /> },
]

function Payload({
  masked,
  environment,
  id,
}: {
  masked: Record<string, unknown>
  environment: string
  id: string
}) {
  const reveal = useOperationMutation('revealPayload')
  const canReadClaims = usePermission('read_claims')
  const text = JSON.stringify(reveal.data === undefined ? masked : JSON.parse(reveal.data.body), undefined, 2)
  return (
    <Card
      title="Payload"
      description="As it would be sent now, formatted for reading. It is rendered for each attempt and never stored; the signature covers the bytes as sent."
      actions={
        canReadClaims && (
          <Button
            size="small"
            busy={reveal.isPending}
            onClick={() =>
              reveal.data === undefined ? reveal.mutate({ params: { environment, id } }) : reveal.reset()
            }
          >
            {reveal.data === undefined ? 'Show claims' : 'Hide claims'}
          </Button>
        )
      }
    >
      <div className="grid gap-3">
        {reveal.error !== null && <ErrorMessage error={reveal.error} inline />}
        {reveal.data !== undefined && <p className="text-sm text-soft">Recorded in the audit log.</p>}
        <CodeBlock text={text} label="Copy payload" />
      </div>
    </Card>
  )
}
