import { account } from './en/account.ts'
import { alerts } from './en/alerts.ts'
import { audit } from './en/audit.ts'
import { devices } from './en/devices.ts'
import { editing } from './en/editing.ts'
import { erasures } from './en/erasures.ts'
import { goLive } from './en/go-live.ts'
import { keys } from './en/keys.ts'
import { links } from './en/links.ts'
import { openIdClients } from './en/openid-clients.ts'
import { overview } from './en/overview.ts'
import { registrations } from './en/registrations.ts'
import { requests } from './en/requests.ts'
import { search } from './en/search.ts'
import { settings } from './en/settings.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'
import { team } from './en/team.ts'
import { templates } from './en/templates.ts'
import { usage } from './en/usage.ts'
import { verifications } from './en/verifications.ts'
import { webhookEndpoints } from './en/webhook-endpoints.ts'
import { webhooks } from './en/webhooks.ts'
import { sharedEn } from './shared-en.ts'

export const en = {
  ...sharedEn,
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

/** Every text of the dashboard. English defines the names, so that a missing or superfluous text does not compile. */
export type Texts = typeof en
