import { useState } from 'react'
import { Plus } from 'lucide-react'
import type { WebhookEndpoint } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationMutation, useOperationQuery } from '../api/queries.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import type { Texts } from '../texts/languages.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { EndpointSecret, RotateEndpointSecret } from './endpoint-secret.tsx'

type Open = { dialog: 'create' } | { dialog: 'edit' | 'rotate' | 'delete'; endpoint: WebhookEndpoint }

/** The webhook endpoints of an environment: list, create, edit, rotate, disable, delete. */
export function Endpoints() {
  const texts = useTexts()
  const text = texts.webhook_endpoints
  const environment = useEnvironment()
  const canManage = usePermission('manage_endpoints')
  const endpoints = useOperationQuery('listWebhookEndpoints', { params: { environment } })
  const change = useOperationMutation('changeWebhookEndpoint', ['listWebhookEndpoints'])
  const showToast = useToast()
  const [open, setOpen] = useState<Open>()
  const [secret, setSecret] = useState<string>()
  const close = () => setOpen(undefined)
  const setEnabled = ({ id }: WebhookEndpoint, enabled: boolean) =>
    change.mutate(
      { params: { environment, id }, json: { enabled } },
      { onSuccess: () => showToast(enabled ? text.enabled : text.disabled) },
    )
  const create = canManage && (
    <Button
      variant="primary"
      icon={<Plus className="size-4" aria-hidden />}
      onClick={() => setOpen({ dialog: 'create' })}
    >
      {text.create}
    </Button>
  )
  const rows = endpoints.data?.data ?? []
  return (
    <div className="grid gap-5">
      {endpoints.error !== null && (
        <ErrorMessage error={endpoints.error} retry={() => void endpoints.refetch()} />
      )}
      {change.error !== null && <ErrorMessage error={change.error} inline />}
      {endpoints.isPending && <SkeletonRows rows={2} />}
      {endpoints.isSuccess && rows.length === 0 && (
        <EmptyState title={text.empty.title} action={create}>
          <p>{text.empty.what}</p>
          <p>
            <Sentence text={text.empty.beside} values={{ member: <code>webhook_url</code> }} />
          </p>
        </EmptyState>
      )}
      {rows.length > 0 && (
        <>
          <div className="flex justify-end">{create}</div>
          <Table
            caption={text.caption}
            rows={rows}
            rowKey={({ id }) => id}
            columns={columns(texts, canManage ? { setOpen, setEnabled } : undefined)}
          />
        </>
      )}
      {open !== undefined && (open.dialog === 'create' || open.dialog === 'edit') && (
        <EndpointForm
          endpoint={open.dialog === 'edit' ? open.endpoint : undefined}
          onClose={close}
          onCreated={setSecret}
        />
      )}
      {open?.dialog === 'rotate' && (
        <RotateEndpointSecret endpoint={open.endpoint} onClose={close} onRotated={setSecret} />
      )}
      {open?.dialog === 'delete' && (
        <ChangeDialog
          op="deleteWebhookEndpoint"
          input={{ params: { environment, id: open.endpoint.id } }}
          invalidates={['listWebhookEndpoints']}
          successMessage={text.delete_dialog.done}
          title={text.delete_dialog.title}
          description={fillIn(text.delete_dialog.description, { url: open.endpoint.url })}
          submit={text.delete_dialog.submit}
          variant="danger"
          onClose={close}
        />
      )}
      <EndpointSecret secret={secret} onClose={() => setSecret(undefined)} />
    </div>
  )
}

type Actions = {
  setOpen: (open: Open) => void
  setEnabled: (endpoint: WebhookEndpoint, enabled: boolean) => void
}

function columns(
  { webhook_endpoints: text, common }: Texts,
  actions: Actions | undefined,
): Column<WebhookEndpoint>[] {
  return [
    {
      title: text.endpoint,
      rowHeader: true,
      cell: ({ url, description }) => (
        <div className="min-w-0">
          {description !== '' && <span className="block font-medium">{description}</span>}
          <code className="text-xs break-all text-soft">{url}</code>
        </div>
      ),
    },
    {
      title: text.events,
      cell: ({ events }) => (
        <span className="flex flex-wrap gap-1 max-sm:justify-end">
          {events.map((event) => (
            <Badge key={event}>{text.event_types[event]}</Badge>
          ))}
        </span>
      ),
    },
    { title: common.status, cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
    {
      title: '',
      end: true,
      cell: (endpoint) =>
        actions !== undefined && <EndpointButtons endpoint={endpoint} actions={actions} text={text} />,
    },
  ]
}

function EndpointState({ endpoint }: { endpoint: WebhookEndpoint }) {
  const text = useTexts().webhook_endpoints
  const { enabled, disabled_reason, failing_since, previous_secret_retires_at } = endpoint
  return (
    <span className="grid justify-items-start gap-1 max-sm:justify-items-end">
      {!enabled && (
        <Badge tone={disabled_reason === 'failing' ? 'bad' : 'plain'} dot>
          {disabled_reason === 'failing' ? text.states.disabled_failing : text.states.disabled}
        </Badge>
      )}
      {enabled && failing_since === undefined && (
        <Badge tone="good" dot>
          {text.states.enabled}
        </Badge>
      )}
      {enabled && failing_since !== undefined && (
        <Badge tone="wait" dot>
          <Sentence text={text.states.failing} values={{ at: <Time at={failing_since} /> }} />
        </Badge>
      )}
      {previous_secret_retires_at !== undefined && (
        <span className="text-xs text-soft">
          <Sentence text={text.secret.overlap} values={{ at: <Time at={previous_secret_retires_at} /> }} />
        </span>
      )}
    </span>
  )
}

function EndpointButtons({
  endpoint,
  actions: { setOpen, setEnabled },
  text,
}: {
  endpoint: WebhookEndpoint
  actions: Actions
  text: Texts['webhook_endpoints']
}) {
  const name = endpoint.description === '' ? endpoint.url : endpoint.description
  const { buttons, labels } = text
  return (
    <span className="flex flex-wrap justify-end gap-2">
      <Button
        size="small"
        aria-label={fillIn(labels.edit, { name })}
        onClick={() => setOpen({ dialog: 'edit', endpoint })}
      >
        {buttons.edit}
      </Button>
      <Button
        size="small"
        aria-label={fillIn(labels.rotate, { name })}
        onClick={() => setOpen({ dialog: 'rotate', endpoint })}
      >
        {buttons.rotate}
      </Button>
      <Button
        size="small"
        aria-label={fillIn(endpoint.enabled ? labels.disable : labels.enable, { name })}
        onClick={() => setEnabled(endpoint, !endpoint.enabled)}
      >
        {endpoint.enabled ? buttons.disable : buttons.enable}
      </Button>
      <Button
        size="small"
        aria-label={fillIn(labels.remove, { name })}
        onClick={() => setOpen({ dialog: 'delete', endpoint })}
      >
        {buttons.remove}
      </Button>
    </span>
  )
}
