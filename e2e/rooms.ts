/** The pages, by a name, with the title that shows that one is there. */
export type DashboardPage = { path: string; title: string }

export const pages = {
  overview: { path: '', title: 'Overview' },
  verifications: { path: '/verifications', title: 'Verifications' },
  templates: { path: '/templates', title: 'Templates' },
  'template-new': { path: '/templates/new', title: 'New template' },
  template: { path: '/templates/age_over_18', title: 'Age over 18' },
  devices: { path: '/devices', title: 'Devices' },
  keys: { path: '/keys', title: 'API keys' },
  webhooks: { path: '/webhooks', title: 'Webhooks' },
  'webhooks-secret': { path: '/webhooks?tab=secret', title: 'Webhooks' },
  'webhooks-debugger': { path: '/webhooks?tab=debugger', title: 'Webhooks' },
  usage: { path: '/usage', title: 'Usage' },
  audit: { path: '/audit', title: 'Audit' },
  team: { path: '/team', title: 'Team' },
  settings: { path: '/settings', title: 'Settings' },
  account: { path: '/account', title: 'Your account' },
} as const satisfies Record<string, DashboardPage>

/** The pages of what was put into a furnished world. */
export type PageName =
  | keyof typeof pages
  | 'verification'
  | 'verification-failed'
  | 'verification-pending'
  | 'delivery'
  | 'template-own'
