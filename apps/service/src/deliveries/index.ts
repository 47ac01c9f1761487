export { queueUsageDay } from './billing/queue-usage-day.ts'
export { usageDaySender } from './billing/send-usage-day.ts'
export { sendMail } from './mail/send.ts'
export { announceAlerts, listRecipients } from './notifications/announce/announce.ts'
export {
  watchExpiry,
  watchExpiryInterval_ms,
  watchLists,
  watchListsInterval_ms,
  watchQuota,
  watchQuotaInterval_ms,
} from './notifications/watch/watch.ts'
export { textsOf } from './notifications/texts/describe-alert.ts'
export {
  getAlertWebhook,
  madeAlertWebhooks,
  removeAlertWebhook,
  setAlertWebhook,
  endedAlertSecrets,
  endedAlertWebhooks,
} from './notifications/webhook/alert-webhook.ts'
export { alertSender } from './notifications/webhook/send.ts'
export { announceEvents, queueEvent, queueForEndpoint, queueForUrl } from './webhooks/announce.ts'
export { renderPayload, toEventType } from './webhooks/compose.ts'
export {
  deliverWebhooks,
  readWebhookLag,
  readWebhookQueue,
  reportQueueMetrics,
} from './webhooks/deliver/deliver.ts'
export { checkReceiverUrl, createEndpoint } from './webhooks/endpoints/create-endpoint.ts'
export { madeEndpoints } from './webhooks/endpoints/made-access.ts'
export { changeEndpoint, deleteEndpoint, listEndpoints } from './webhooks/endpoints/change-endpoint.ts'
export { watchFailingEndpoints } from './webhooks/endpoints/watch-failing.ts'
export { watchFailingHosts } from './webhooks/failing-hosts/watch-hosts.ts'
export { type WebhookEvent, hostFromUrl } from './webhooks/event.ts'
export { insecureUrlWarning } from './webhooks/insecure-url-warning.ts'
export { erasureEventSender } from './webhooks/erasure/send-erasure-event.ts'
export { describeEvent, readResponse } from './webhooks/log/describe-delivery.ts'
export { getWebhookHealth } from './webhooks/log/get-health.ts'
export { type ListDeliveries, listDeliveries, listEvents } from './webhooks/log/list-deliveries.ts'
export { maskUrl } from './webhooks/log/mask-url.ts'
export { readLatestAttempts } from './webhooks/log/read-latest-attempts.ts'
export { viewDelivery } from './webhooks/log/view-delivery.ts'
export { advanceResends } from './webhooks/resend/resend.ts'
export {
  endedEndpointSecrets,
  endedEndpoints,
  endedSecrets,
  skipDelivered,
} from './webhooks/end-endpoints.ts'
export { readTenantSecrets, rotateWebhookSecret } from './webhooks/secrets/secrets.ts'
