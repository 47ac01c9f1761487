import type { Context } from '../engine/context.ts'
import type { Identity } from './identity/open-identity.ts'
import type { TrustService } from './open.ts'

export type TrustContext = Context & {
  trust: TrustService
  /** The service's own access certificate, for tenants without one. Opened on first use: most commands do not need it. */
  identity(): Promise<Identity>
}
