import { account } from './de/account.ts'
import { alerts } from './de/alerts.ts'
import { audit } from './de/audit.ts'
import { devices } from './de/devices.ts'
import { editing } from './de/editing.ts'
import { erasures } from './de/erasures.ts'
import { goLive } from './de/go-live.ts'
import { keys } from './de/keys.ts'
import { links } from './de/links.ts'
import { openIdClients } from './de/openid-clients.ts'
import { overview } from './de/overview.ts'
import { registrations } from './de/registrations.ts'
import { requests } from './de/requests.ts'
import { search } from './de/search.ts'
import { settings } from './de/settings.ts'
import { shell } from './de/shell.ts'
import { signIn } from './de/sign-in.ts'
import { team } from './de/team.ts'
import { templates } from './de/templates.ts'
import { usage } from './de/usage.ts'
import { verifications } from './de/verifications.ts'
import { webhookEndpoints } from './de/webhook-endpoints.ts'
import { webhooks } from './de/webhooks.ts'
import { sharedDe } from './shared-de.ts'
import type { Texts } from './en.ts'

export const de: Texts = {
  ...sharedDe,
  account,
  alerts,
  audit,
  devices,
  editing,
  erasures,
  go_live: goLive,
  keys,
  links,
  openid_clients: openIdClients,
  overview,
  registrations,
  requests,
  search,
  settings,
  shell,
  sign_in: signIn,
  team,
  templates,
  usage,
  verifications,
  webhook_endpoints: webhookEndpoints,
  webhooks,
}
