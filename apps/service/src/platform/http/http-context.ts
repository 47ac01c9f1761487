import type { Config } from '../../config.ts'
import type { Keyring } from '../keyring/open.ts'
import type { Limiter } from '../limits/limiter.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { DevicePrincipal, KeyPrincipal, Member } from '../principal.ts'
import type { Pressure } from './guard/pressure.ts'

/** What stands between the network and the use cases. */
export type HttpContext = {
  config: Pick<Config, 'TRUSTED_PROXIES' | 'BASE_URL'>
  /** Who carries this token. Throws a Refusal for whoever may not come in, one and the same for every kind of bad token. */
  authenticate: (token: string | undefined) => Promise<KeyPrincipal | DevicePrincipal>
  /** Whose session this is. Undefined for whatever is no session, or none any more. */
  findMember: (session: string) => Promise<Member | undefined>
  keyring: Pick<Keyring, 'mac'>
  limiter: Limiter
  log: Log
  metrics: Metrics
  pressure: Pressure
  /** True once the process was told to stop: every answer then asks the caller to take another connection. */
  draining: () => boolean
}
