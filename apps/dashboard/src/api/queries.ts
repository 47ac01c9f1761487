import type { Topic } from '@vidimus/contract'
import type { DashboardOperation } from '@vidimus/contract/dashboard-paths'
import { dashboardClient } from './call.ts'
import { createOperationHooks } from './operation-hooks.ts'

export const { operationQuery, useOperationQuery, useOperationMutation } =
  createOperationHooks(dashboardClient)

/** The read operations that a change event of each topic invalidates. */
export const operationsByTopic: Record<Topic, readonly DashboardOperation[]> = {
  verifications: ['listVerifications', 'getVerification', 'getOverview', 'getUsage', 'listLinks', 'getLink'],
  deliveries: [
    'listWebhookEndpoints',
    'listDeliveries',
    'getDelivery',
    'getResend',
    'getVerification',
    'getOverview',
    'listAlerts',
  ],
  devices: ['listDevices', 'getOverview', 'listAlerts'],
  keys: ['listKeys', 'listOpenIdClients', 'getOverview', 'listAlerts'],
  links: ['listLinks', 'getLink'],
  templates: ['listTemplates', 'getTemplate'],
  registrations: ['listRegistrations', 'getRegistration', 'getTemplate', 'getOverview', 'listAlerts'],
  team: ['listTeam', 'getMe', 'listAlerts'],
  settings: ['getSettings', 'listSealingKeys', 'getWebhookSecret', 'getOverview', 'listAlerts'],
}
