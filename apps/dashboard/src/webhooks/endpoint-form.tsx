import { useState } from 'react'
import type { WebhookEndpoint } from '@vidimus/contract'
import { webhookEventTypes, webhookUrlEvents, type WebhookEventType } from '@vidimus/contract/webhook-events'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { ChoiceField, ChoiceGroup, TextField } from '../ui/field.tsx'
import { useToast } from '../ui/toast.tsx'

/** Creates an endpoint, or edits one. */
export function EndpointForm({
  endpoint,
  onClose,
  onCreated,
}: {
  endpoint: WebhookEndpoint | undefined
  onClose: () => void
  onCreated: (secret: string) => void
}) {
  const text = useTexts().webhook_endpoints
  const environment = useEnvironment()
  const create = useOperationMutation('createWebhookEndpoint', ['listWebhookEndpoints'])
  const change = useOperationMutation('changeWebhookEndpoint', ['listWebhookEndpoints'])
  const showToast = useToast()
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [chosen, setChosen] = useState(() => new Set<WebhookEventType>(endpoint?.events ?? webhookUrlEvents))
  const [submitted, setSubmitted] = useState(false)
  const urlIsValid = /^https?:\/\/[^\s]+$/.test(url)
  const toggle = (event: WebhookEventType) => {
    const next = new Set(chosen)
    if (!next.delete(event)) next.add(event)
    setChosen(next)
  }
  const submit = () => {
    setSubmitted(true)
    if (!urlIsValid || chosen.size === 0) return
    const json = {
      url,
      description: description.trim(),
      events: webhookEventTypes.filter((event) => chosen.has(event)),
    }
    if (endpoint === undefined)
      create.mutate(
        { params: { environment }, json },
        { onSuccess: ({ secret }) => (onClose(), onCreated(secret)) },
      )
    else
      change.mutate(
        { params: { environment, id: endpoint.id }, json },
        { onSuccess: () => (onClose(), showToast(text.form.saved)) },
      )
  }
  return (
    <FormDialog
      open
      persistent
      onClose={onClose}
      title={endpoint === undefined ? text.form.create_title : text.form.edit_title}
      submit={endpoint === undefined ? text.create : text.form.save}
      onSubmit={submit}
      busy={create.isPending || change.isPending}
      error={create.error ?? change.error}
    >
      <TextField
        label={text.form.url}
        type="url"
        inputMode="url"
        placeholder="https://shop.example/hooks/vidimus"
        hint={url.startsWith('http:') ? text.form.url_unencrypted : text.form.url_hint}
        maxLength={2048}
        value={url}
        onChange={({ target }) => setUrl(target.value.trim())}
        error={submitted && !urlIsValid ? text.form.url_invalid : undefined}
      />
      <TextField
        label={text.form.description}
        hint={text.form.description_hint}
        maxLength={200}
        value={description}
        onChange={({ target }) => setDescription(target.value)}
      />
      <ChoiceGroup legend={text.events}>
        {webhookEventTypes.map((event) => (
          <ChoiceField
            key={event}
            label={<code>{event}</code>}
            hint={text.event_hints[event]}
            checked={chosen.has(event)}
            onChange={() => toggle(event)}
          />
        ))}
        {submitted && chosen.size === 0 && (
          <p role="alert" className="text-sm text-bad">
            {text.form.events_missing}
          </p>
        )}
      </ChoiceGroup>
    </FormDialog>
  )
}
