import type { Config } from '../config/config.ts'
import type { Database } from '../db/open.ts'
import type { Keyring } from '../keyring/open.ts'
import type { Limiter } from '../limits/limiter.ts'
import type { Log } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { AuthenticatedSession, DevicePrincipal, KeyPrincipal } from '../basics/principal.ts'
import type { ApiRequest } from '../basics/api-request.ts'
import type { Scheduler } from '../scheduling/scheduler.ts'

/** What the HTTP layer needs to process a request before its use case runs. */
export type HttpContext = {
  config: Pick<Config, 'TRUSTED_PROXIES' | 'BASE_URL' | 'HSTS_INCLUDE_SUBDOMAINS'>
  /** Authenticates a token. Throws the same Refusal for every kind of invalid token. The hash is its SHA-256 in hexadecimal digits. */
  authenticate: (token: string | undefined, tokenHash?: string) => Promise<KeyPrincipal | DevicePrincipal>
  /** Finds a dashboard session by its token. Undefined if it is unknown or has ended. */
  findSession: (token: string) => Promise<AuthenticatedSession | undefined>
  db: Pick<Database, 'suspended'>
  keyring: Pick<Keyring, 'mac'>
  limiter: Limiter
  log: Log
  metrics: Metrics
  scheduler: Scheduler
  /** Takes note of a finished request. Absent if nothing is recorded. */
  recordApiRequest?: ((request: ApiRequest) => void) | undefined
  /** True once the process has to stop: every response then has `Connection: close`. */
  draining: () => boolean
}
