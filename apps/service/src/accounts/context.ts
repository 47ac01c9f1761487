import type { Context } from '../engine/context.ts'
import type { Provider } from './sign-in/provider/open-provider.ts'

export type AccountsContext = Context & {
  /** The OpenID Connect provider for the dashboard, if one is configured. */
  oidc: Provider | undefined
  /** That for the console, which may be the same one with another client. */
  operatorOidc: Provider | undefined
}
