import { Link, useParams, useSearch } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import type { OperationOutput } from '../api/call.ts'
import { useOperationQuery, useOperationMutation } from '../api/queries.ts'
import { usePermission } from '../shell/shell-context.ts'
import type { Texts } from '../texts/languages.ts'
import { useTexts } from '../texts/texts-context.ts'
import { BackLink } from '../ui/back-link.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card, Fact, Facts, Page } from '../ui/page.tsx'
import { CodeBlock } from '../ui/copyable.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'
import { OutcomeBadge, responseText, StateBadge } from './outcome-badge.tsx'

type Detail = OperationOutput<'getDelivery'>

/** One event with all its attempts and its payload. */
export function DeliveryDetail() {
  const text = useTexts().webhooks.delivery
  const { environment, id, attempt } = useParams({ from: '/shell/$environment/webhooks/$id/$attempt' })
  const { endpoint_id, ...filter } = useSearch({ from: '/shell/$environment/webhooks/$id/$attempt' })
  const query = endpoint_id === undefined ? {} : { endpoint_id }
  const detail = useOperationQuery('getDelivery', { params: { environment, id, attempt }, query })
  const resend = useOperationMutation('resendWebhook', ['getDelivery', 'listDeliveries'])
  const canSend = usePermission('send_webhooks')
  const showToast = useToast()
  const resendEvent = () =>
    resend.mutate({ params: { environment, id }, query }, { onSuccess: () => showToast(text.resent) })
  return (
    <Page
      title={text.title}
      description={<BackLink to="webhooks" label={text.back} search={filter} />}
      actions={
        canSend && (
          <Button
            variant="primary"
            icon={<RotateCw className="size-4" aria-hidden />}
            busy={resend.isPending}
            onClick={resendEvent}
          >
            {text.resend}
          </Button>
        )
      }
    >
      <div className="grid gap-6">
        {resend.error !== null && <ErrorMessage error={resend.error} inline />}
        {detail.error !== null && <ErrorMessage error={detail.error} retry={() => void detail.refetch()} />}
        {detail.isPending && <SkeletonRows rows={4} />}
        {detail.data !== undefined && (
          <DeliveryParts
            detail={detail.data}
            environment={environment}
            id={id}
            query={{ ...query, attempt }}
          />
        )}
      </div>
    </Page>
  )
}

/** Which attempt's response is revealed with the payload. */
type RevealQuery = { endpoint_id?: string; attempt: string }

function DeliveryParts({
  detail,
  environment,
  id,
  query,
}: {
  detail: Detail
  environment: string
  id: string
  query: RevealQuery
}) {
  const { webhooks } = useTexts()
  const text = webhooks.delivery
  return (
    <>
      <Card title={webhooks.event}>
        <Facts>
          <Fact name={text.state}>
            <StateBadge state={detail.state} />
          </Fact>
          {detail.next_attempt_at !== undefined && (
            <Fact name={text.next_attempt}>
              <Time at={detail.next_attempt_at} form="exact" utc />
            </Fact>
          )}
          <Fact name={text.event_id}>
            <code>{detail.event_id}</code>
          </Fact>
          <Fact name={webhooks.verification}>
            <Link
              to="/$environment/verifications/$id"
              from="/$environment/webhooks/$id/$attempt"
              params={{ id }}
              className="text-accent underline-offset-4 hover:underline"
            >
              <code>{id}</code>
            </Link>
          </Fact>
          {detail.delivery.event_type !== undefined && (
            <Fact name={webhooks.event}>
              <code>{detail.delivery.event_type}</code>
            </Fact>
          )}
          {detail.url !== undefined && (
            <Fact name={text.sent_to}>
              <code>{detail.url}</code>
            </Fact>
          )}
        </Facts>
      </Card>
      <section className="grid gap-3">
        <h2 className="font-semibold">{text.attempts}</h2>
        <Table
          caption={text.attempts_caption}
          rows={detail.attempts}
          rowKey={(each) => String(each.attempt)}
          columns={columns(webhooks)}
        />
      </section>
      {detail.has_response && <ResponseBody environment={environment} id={id} query={query} />}
      {detail.payload !== undefined && <Payload masked={detail.payload} environment={environment} id={id} />}
    </>
  )
}

/** Shown on demand: the receiver may have repeated claims, so reading it is recorded. */
function ResponseBody({ environment, id, query }: { environment: string; id: string; query: RevealQuery }) {
  const { webhooks, webhook_endpoints } = useTexts()
  const text = webhook_endpoints.response
  const reveal = useOperationMutation('revealPayload')
  if (!usePermission('read_claims')) return null
  return (
    <Card
      title={text.title}
      description={text.description}
      actions={
        reveal.data === undefined && (
          <Button
            size="small"
            busy={reveal.isPending}
            onClick={() => reveal.mutate({ params: { environment, id }, query })}
          >
            {text.show}
          </Button>
        )
      }
    >
      {reveal.error !== null && <ErrorMessage error={reveal.error} inline />}
      {reveal.data !== undefined && (
        <div className="grid gap-3">
          <p className="text-sm text-soft">{webhooks.recorded}</p>
          <CodeBlock text={reveal.data.response_body ?? ''} label={text.copy} />
        </div>
      )}
    </Card>
  )
}

function columns(text: Texts['webhooks']): Column<Detail['delivery']>[] {
  return [
    {
      title: text.attempt,
      rowHeader: true,
      cell: ({ attempt }) => (
        <span className="font-medium">{fillIn(text.delivery.attempt_number, { attempt })}</span>
      ),
    },
    { title: text.outcome, cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
    {
      title: text.delivery.response,
      cell: (each) => <span>{responseText(each, text)}</span>,
    },
    {
      title: text.duration,
      cell: ({ duration_ms }) => (
        <span className="tabular">
          {duration_ms === undefined ? '–' : fillIn(text.duration_ms, { duration: duration_ms })}
        </span>
      ),
    },
    { title: text.time, end: true, cell: ({ attempted_at }) => <Time at={attempted_at} form="exact" utc /> },
  ]
}

function Payload({
  masked,
  environment,
  id,
}: {
  masked: Record<string, unknown>
  environment: string
  id: string
}) {
  const { webhooks } = useTexts()
  const text = webhooks.delivery
  const reveal = useOperationMutation('revealPayload')
  const canReadClaims = usePermission('read_claims')
  const payload = JSON.stringify(
    reveal.data === undefined ? masked : JSON.parse(reveal.data.body),
    undefined,
    2,
  )
  return (
    <Card
      title={text.payload}
      description={text.payload_description}
      actions={
        canReadClaims && (
          <Button
            size="small"
            busy={reveal.isPending}
            onClick={() =>
              reveal.data === undefined ? reveal.mutate({ params: { environment, id } }) : reveal.reset()
            }
          >
            {reveal.data === undefined ? text.show_claims : text.hide_claims}
          </Button>
        )
      }
    >
      <div className="grid gap-3">
        {reveal.error !== null && <ErrorMessage error={reveal.error} inline />}
        {reveal.data !== undefined && <p className="text-sm text-soft">{webhooks.recorded}</p>}
        <CodeBlock text={payload} label={text.copy_payload} />
      </div>
    </Card>
  )
}
