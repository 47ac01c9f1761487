import type { SignInMethods } from '@vidimus/contract'
import type { Context } from '../../context.ts'

export function signInMethods({ oidc, config }: Pick<Context, 'oidc' | 'config'>): SignInMethods {
  if (oidc === undefined || config.OIDC_ISSUER === undefined) return { passkey: true, oidc: false }
  return { passkey: true, oidc: true, oidc_host: new URL(config.OIDC_ISSUER).host }
}
