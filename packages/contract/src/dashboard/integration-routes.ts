import { z } from 'zod'
import { RegisterDevice } from '../devices.ts'
import { text } from '../text.ts'
import { ListDevices, DashboardDevice, DevicePage, PairingOffer } from './devices.ts'
import { CreatedKey, CreateKey, Key, KeyList } from './keys.ts'
import { Overview } from './overview.ts'
import { dashboardPaths as at } from './paths.ts'
import type { DashboardRoute } from './route.ts'
import { EmptyResponse, EnvironmentName } from './values.ts'
import {
  DeliveryDetail,
  DeliveryList,
  ListDeliveries,
  DeliveryPayload,
  SendTestEvent,
  TestEventResult,
  WebhookSecret,
  WebhookSecretState,
} from './webhooks.ts'

const environmentParams = z.object({ environment: EnvironmentName })
const idParams = z.object({ environment: EnvironmentName, id: z.uuid() })
const sessionParams = z.object({ environment: EnvironmentName, id: text({ min: 1, max: 128 }) })

/** Overview, API keys, webhooks and devices. */
export const integrationRoutes = {
  getEvents: {
    ...at.getEvents,
    summary: 'Stream changes as server-sent events',
    may: 'read',
    stream: true,
    params: environmentParams,
    success: { status: 200, body: z.string(), media: 'text/event-stream' },
  },
  getOverview: {
    ...at.getOverview,
    summary: 'Get the overview',
    may: 'read',
    params: environmentParams,
    success: { status: 200, body: Overview },
  },
  listKeys: {
    ...at.listKeys,
    summary: 'List API keys, newest first',
    may: 'read',
    params: environmentParams,
    success: { status: 200, body: KeyList },
  },
  createKey: {
    ...at.createKey,
    summary: 'Create an API key; it is shown only once',
    may: 'manage_keys',
    params: environmentParams,
    json: CreateKey,
    success: { status: 201, body: CreatedKey },
  },
  revokeKey: {
    ...at.revokeKey,
    summary: 'Revoke an API key',
    may: 'manage_keys',
    params: idParams,
    not_found: 'key_not_found',
    success: { status: 200, body: Key },
  },
  getWebhookSecret: {
    ...at.getWebhookSecret,
    summary: 'Get the age of the webhook secret, and when the previous one retires',
    may: 'read',
    success: { status: 200, body: WebhookSecretState },
  },
  revealWebhookSecret: {
    ...at.revealWebhookSecret,
    summary: 'Reveal the webhook secret; audited',
    may: 'read_secret',
    success: { status: 200, body: WebhookSecret },
  },
  rotateWebhookSecret: {
    ...at.rotateWebhookSecret,
    summary: 'Rotate the webhook secret; both secrets sign for 24 hours',
    may: 'rotate_secret',
    success: { status: 200, body: WebhookSecret },
  },
  listDeliveries: {
    ...at.listDeliveries,
    summary: 'List webhook delivery attempts, newest first',
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
      attempt: z
        .string()
        .regex(/^[1-9]\d{0,5}$/)
        .transform(Number),
    }),
    not_found: 'delivery_not_found',
    success: { status: 200, body: DeliveryDetail },
  },
  revealPayload: {
    ...at.revealPayload,
    summary: 'Reveal the payload as it would be sent now, with claims; audited',
    may: 'read_claims',
    params: sessionParams,
    not_found: 'session_not_found',
    success: { status: 200, body: DeliveryPayload },
  },
  resendWebhook: {
    ...at.resendWebhook,
    summary: 'Resend the event immediately',
    may: 'send_webhooks',
    params: sessionParams,
    not_found: 'session_not_found',
    success: { status: 200, body: EmptyResponse },
    refusals: ['invalid_request'],
  },
  sendTestEvent: {
    ...at.sendTestEvent,
    summary: 'Send a signed test event to a URL and return the result',
    may: 'send_webhooks',
    params: environmentParams,
    json: SendTestEvent,
    success: { status: 200, body: TestEventResult },
    refusals: ['invalid_webhook_url'],
  },
  listDevices: {
    ...at.listDevices,
    summary: 'List devices, newest first',
    may: 'read',
    params: environmentParams,
    query: ListDevices,
    success: { status: 200, body: DevicePage },
  },
  registerDevice: {
    ...at.registerDevice,
    summary: 'Register a device and get a pairing code',
    may: 'manage_devices',
    params: environmentParams,
    json: RegisterDevice,
    success: { status: 201, body: PairingOffer },
  },
  revokeDevice: {
    ...at.revokeDevice,
    summary: 'Revoke a device and all of its tokens',
    may: 'manage_devices',
    params: idParams,
    not_found: 'device_not_found',
    success: { status: 200, body: DashboardDevice },
  },
} satisfies Record<string, DashboardRoute>
