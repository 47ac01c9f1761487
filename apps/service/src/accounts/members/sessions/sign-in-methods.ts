import type { SignInMethods } from '@vidimus/contract'
import type { AccountsContext } from '../../context.ts'

export function signInMethods({ oidc, config }: Pick<AccountsContext, 'oidc' | 'config'>): SignInMethods {
  const cells = config.CELLS === undefined ? {} : { cells: config.CELLS }
  if (oidc === undefined || config.OIDC_ISSUER === undefined) return { passkey: true, oidc: false, ...cells }
  return { passkey: true, oidc: true, oidc_host: new URL(config.OIDC_ISSUER).host, ...cells }
}
