import { z } from 'zod'
import {
  AlertChoices,
  AlertList,
  AlertWebhook,
  AlertWebhookState,
  ChangeAlertChoices,
  SetAlertWebhook,
} from './alerts.ts'
import { dashboardPaths as at } from './paths.ts'
import type { DashboardRoute } from './route.ts'
import { EnvironmentName } from './values.ts'

/** Alerts, who gets them by mail, and the tenant's webhook for them. */
export const alertRoutes = {
  listAlerts: {
    ...at.listAlerts,
    summary: 'List open alerts and the latest resolved ones',
    may: 'read',
    params: z.object({ environment: EnvironmentName }),
    success: { status: 200, body: AlertList },
  },
  getAlertChoices: {
    ...at.getAlertChoices,
    summary: 'Get which alerts the member receives by mail',
    may: 'signed_in',
    confirmed: false,
    success: { status: 200, body: AlertChoices },
  },
  changeAlertChoices: {
    ...at.changeAlertChoices,
    summary: 'Choose which alerts to receive by mail, and in which language',
    may: 'signed_in',
    confirmed: true,
    json: ChangeAlertChoices,
    success: { status: 200, body: AlertChoices },
  },
  getAlertWebhook: {
    ...at.getAlertWebhook,
    summary: "Get the tenant's webhook for alerts",
    may: 'manage_settings',
    confirmed: false,
    success: { status: 200, body: AlertWebhookState },
  },
  setAlertWebhook: {
    ...at.setAlertWebhook,
    summary: "Set the URL of the tenant's webhook for alerts. The secret of a new one is shown once",
    may: 'manage_settings',
    confirmed: true,
    json: SetAlertWebhook,
    success: { status: 200, body: AlertWebhook },
    refusals: ['invalid_webhook_url'],
  },
  rotateAlertSecret: {
    ...at.rotateAlertSecret,
    summary: 'Replace the secret of the webhook for alerts. The previous one also signs for a day',
    may: 'manage_settings',
    confirmed: true,
    success: { status: 200, body: AlertWebhook },
    refusals: ['not_found'],
  },
  removeAlertWebhook: {
    ...at.removeAlertWebhook,
    summary: "Remove the tenant's webhook for alerts",
    may: 'manage_settings',
    confirmed: true,
    success: { status: 200, body: AlertWebhookState },
  },
} satisfies Record<string, DashboardRoute>
