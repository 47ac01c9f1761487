import { z } from 'zod'
import { text } from '../text.ts'
import { describe } from '../values.ts'
import { VerificationIdParam } from '../verifications.ts'
import {
  ChangeWebhookEndpoint,
  CreateWebhookEndpoint,
  exampleEndpointId,
  WebhookEndpoint,
  WebhookEndpointId,
  WebhookEndpointList,
  WebhookEndpointSecret,
} from '../webhook-endpoints.ts'
import { dashboardPaths as at } from './paths.ts'
import type { DashboardRoute } from './route.ts'
import { EmptyResponse, EnvironmentName } from './values.ts'
import {
  DeliveryDetail,
  DeliveryList,
  ListDeliveries,
  DeliveryPayload,
  LatestResend,
  FailedResend,
  ResendFailed,
  SendTestEvent,
  TestEventResult,
  WebhookSecret,
  WebhookSecretState,
} from './webhooks.ts'

const environmentParams = z.object({ environment: EnvironmentName })
const endpointParams = z.object({ environment: EnvironmentName, id: WebhookEndpointId })
const verificationParams = z.object({ environment: EnvironmentName, id: VerificationIdParam })

const EventReceiver = z.strictObject({
  endpoint_id: describe(
    z.string().max(40),
    'Which receiver of the event: an endpoint. Absent: the verification’s own `webhook_url`.',
    exampleEndpointId,
  ).optional(),
})

const AttemptNumber = z
  .string()
  .regex(/^[1-9]\d{0,5}$/)
  .transform(Number)

/** Webhook endpoints, signing secrets, deliveries and resending. */
export const webhookRoutes = {
  listWebhookEndpoints: {
    ...at.listWebhookEndpoints,
    summary: 'List webhook endpoints, newest first',
    may: 'read',
    params: environmentParams,
    success: { status: 200, body: WebhookEndpointList },
  },
  createWebhookEndpoint: {
    ...at.createWebhookEndpoint,
    summary: 'Create a webhook endpoint; its secret is shown only once',
    may: 'manage_endpoints',
    confirmed: true,
    params: environmentParams,
    json: CreateWebhookEndpoint,
    success: { status: 201, body: WebhookEndpointSecret },
    refusals: ['invalid_webhook_url', 'too_many'],
  },
  changeWebhookEndpoint: {
    ...at.changeWebhookEndpoint,
    summary: 'Change, disable or enable a webhook endpoint',
    may: 'manage_endpoints',
    confirmed: true,
    params: endpointParams,
    not_found: 'webhook_endpoint_not_found',
    json: ChangeWebhookEndpoint,
    success: { status: 200, body: WebhookEndpoint },
    refusals: ['invalid_webhook_url'],
  },
  deleteWebhookEndpoint: {
    ...at.deleteWebhookEndpoint,
    summary: 'Delete a webhook endpoint',
    may: 'manage_endpoints',
    confirmed: false,
    params: endpointParams,
    not_found: 'webhook_endpoint_not_found',
    success: { status: 200, body: WebhookEndpoint },
  },
  rotateWebhookEndpointSecret: {
    ...at.rotateWebhookEndpointSecret,
    summary: 'Rotate the secret of a webhook endpoint; both secrets sign for 24 hours',
    may: 'manage_endpoints',
    confirmed: true,
    params: endpointParams,
    not_found: 'webhook_endpoint_not_found',
    success: { status: 200, body: WebhookEndpointSecret },
  },
  getWebhookSecret: {
    ...at.getWebhookSecret,
    summary: 'Get the age of the webhook secret, and when the previous one retires',
    may: 'read',
    params: environmentParams,
    success: { status: 200, body: WebhookSecretState },
  },
  revealWebhookSecret: {
    ...at.revealWebhookSecret,
    summary: 'Reveal the webhook secret; audited',
    may: 'read_secret',
    confirmed: true,
    params: environmentParams,
    success: { status: 200, body: WebhookSecret },
  },
  rotateWebhookSecret: {
    ...at.rotateWebhookSecret,
    summary: 'Rotate the webhook secret; both secrets sign for 24 hours',
    may: 'rotate_secret',
    confirmed: true,
    params: environmentParams,
    success: { status: 200, body: WebhookSecret },
  },
  listDeliveries: {
    ...at.listDeliveries,
    summary: 'List webhook events with their delivery attempts, by the latest attempt, newest first',
    may: 'read',
    params: environmentParams,
    query: ListDeliveries,
    success: { status: 200, body: DeliveryList },
  },
  getDelivery: {
    ...at.getDelivery,
    summary: 'Get an attempt with its event and the payload as it would be sent now, without claims',
    may: 'read',
    params: z.object({
      environment: EnvironmentName,
      id: text({ min: 1, max: 128 }),
      attempt: AttemptNumber,
    }),
    not_found: 'delivery_not_found',
    query: EventReceiver,
    success: { status: 200, body: DeliveryDetail },
  },
  revealPayload: {
    ...at.revealPayload,
    summary:
      'Reveal the payload as it would be sent now, with claims, and what the receiver answered to an attempt; audited',
    may: 'read_claims',
    confirmed: false,
    params: verificationParams,
    not_found: 'session_not_found',
    query: z.strictObject({ ...EventReceiver.shape, attempt: AttemptNumber.optional() }),
    success: { status: 200, body: DeliveryPayload },
  },
  resendWebhook: {
    ...at.resendWebhook,
    summary: 'Resend the event immediately',
    may: 'send_webhooks',
    confirmed: false,
    params: verificationParams,
    not_found: 'session_not_found',
    query: EventReceiver,
    success: { status: 200, body: EmptyResponse },
    refusals: ['invalid_request'],
  },
  sendTestEvent: {
    ...at.sendTestEvent,
    summary: 'Send a signed test event to a URL and return the result',
    may: 'send_webhooks',
    confirmed: false,
    params: environmentParams,
    json: SendTestEvent,
    success: { status: 200, body: TestEventResult },
    refusals: ['invalid_webhook_url'],
  },
  getResend: {
    ...at.getResend,
    summary: 'Get the latest request to resend what failed, with its progress',
    may: 'read',
    params: environmentParams,
    success: { status: 200, body: LatestResend },
  },
  resendFailed: {
    ...at.resendFailed,
    summary: 'Resend every event that failed for good since a time, in the background',
    may: 'send_webhooks',
    confirmed: false,
    params: environmentParams,
    json: ResendFailed,
    success: { status: 201, body: FailedResend },
    refusals: ['too_many'],
  },
} satisfies Record<string, DashboardRoute>
