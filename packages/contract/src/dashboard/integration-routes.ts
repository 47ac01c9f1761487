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

/** The first half: overview, keys, webhooks, devices. */
export const integrationRoutes = {
  getEvents: {
    ...at.getEvents,
    summary: 'What changes, as server-sent events',
    may: 'read',
    stream: true,
    params: environmentParams,
    success: { status: 200, body: z.string(), media: 'text/event-stream' },
  },
  getOverview: {
    ...at.getOverview,
    summary: 'How things stand',
    may: 'read',
    params: environmentParams,
    success: { status: 200, body: Overview },
  },
  listKeys: {
    ...at.listKeys,
    summary: 'API keys, newest first',
    may: 'read',
    params: environmentParams,
    success: { status: 200, body: KeyList },
  },
  createKey: {
    ...at.createKey,
    summary: 'Make a key; it is shown this once',
    may: 'manage_keys',
    params: environmentParams,
    json: CreateKey,
    success: { status: 201, body: CreatedKey },
  },
  revokeKey: {
    ...at.revokeKey,
    summary: 'End a key for good',
    may: 'manage_keys',
    params: idParams,
    unknown: 'key_not_found',
    success: { status: 200, body: Key },
  },
  getWebhookSecret: {
    ...at.getWebhookSecret,
    summary: 'Since when the webhook secret signs, and until when the one before it does',
    may: 'read',
    success: { status: 200, body: WebhookSecretState },
  },
  revealWebhookSecret: {
    ...at.revealWebhookSecret,
    summary: 'Show the webhook secret; audited',
    may: 'read_secret',
    success: { status: 200, body: WebhookSecret },
  },
  rotateWebhookSecret: {
    ...at.rotateWebhookSecret,
    summary: 'Make a new webhook secret; for 24 hours both sign',
    may: 'rotate_secret',
    success: { status: 200, body: WebhookSecret },
  },
  listDeliveries: {
    ...at.listDeliveries,
    summary: 'Every attempt to deliver a webhook, newest first',
    may: 'read',
    params: environmentParams,
    query: ListDeliveries,
    success: { status: 200, body: DeliveryList },
  },
  getDelivery: {
    ...at.getDelivery,
    summary: 'One attempt, its event, and the payload as it would be sent now, without claims',
    may: 'read',
    params: z.object({
      environment: EnvironmentName,
      id: text({ min: 1, max: 128 }),
      attempt: z
        .string()
        .regex(/^[1-9]\d{0,5}$/)
        .transform(Number),
    }),
    unknown: 'delivery_not_found',
    success: { status: 200, body: DeliveryDetail },
  },
  revealPayload: {
    ...at.revealPayload,
    summary: 'The payload with its claims, rendered anew; audited',
    may: 'read_claims',
    params: sessionParams,
    unknown: 'session_not_found',
    success: { status: 200, body: DeliveryPayload },
  },
  resendWebhook: {
    ...at.resendWebhook,
    summary: 'Send the event once more, at once',
    may: 'send_webhooks',
    params: sessionParams,
    unknown: 'session_not_found',
    success: { status: 200, body: EmptyResponse },
    refusals: ['invalid_request'],
  },
  sendTestEvent: {
    ...at.sendTestEvent,
    summary: 'Send a signed test event to an address and say what came back',
    may: 'send_webhooks',
    params: environmentParams,
    json: SendTestEvent,
    success: { status: 200, body: TestEventResult },
    refusals: ['invalid_webhook_url'],
  },
  listDevices: {
    ...at.listDevices,
    summary: 'Devices, newest first',
    may: 'read',
    params: environmentParams,
    query: ListDevices,
    success: { status: 200, body: DevicePage },
  },
  registerDevice: {
    ...at.registerDevice,
    summary: 'Register a device and get its pairing code',
    may: 'manage_devices',
    params: environmentParams,
    json: RegisterDevice,
    success: { status: 201, body: PairingOffer },
  },
  revokeDevice: {
    ...at.revokeDevice,
    summary: 'Revoke a device and every token it holds',
    may: 'manage_devices',
    params: idParams,
    unknown: 'device_not_found',
    success: { status: 200, body: DashboardDevice },
  },
} satisfies Record<string, DashboardRoute>
