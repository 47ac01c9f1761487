import { account } from './en/account.ts'
import { alerts } from './en/alerts.ts'
import { audit } from './en/audit.ts'
import { common } from './en/common.ts'
import { devices } from './en/devices.ts'
import { editing } from './en/editing.ts'
import { errors } from './en/errors.ts'
import { figures } from './en/figures.ts'
import { goLive } from './en/go-live.ts'
import { filters } from './en/filters.ts'
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
import { ui } from './en/ui.ts'
import { usage } from './en/usage.ts'
import { verifications } from './en/verifications.ts'
import { webhookEndpoints } from './en/webhook-endpoints.ts'
import { webhooks } from './en/webhooks.ts'

export const en = {
  account,
  alerts,
  audit,
  common,
  devices,
  editing,
  errors,
  figures,
  go_live: goLive,
  filters,
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
  ui,
  usage,
  verifications,
  webhook_endpoints: webhookEndpoints,
  webhooks,
}

/** Every text of the dashboard. English defines the names, so that a missing or superfluous text does not compile. */
export type Texts = typeof en
