import type { GoLive } from '@vidimus/contract'
import type { DashboardContext } from './context.ts'
import { describeAccessCertificate, expiryStage, selectRegistration } from '../trust/index.ts'
import { listEndpoints } from '../deliveries/index.ts'
import { readClock } from '../engine/db/index.ts'

/** What a live verification of the tenant needs, and whether it has it. `delivered`: a live webhook was delivered before. */
export async function getGoLive(
  ctx: DashboardContext,
  { tenant_id, key, delivered }: { tenant_id: string; key: boolean; delivered: boolean },
): Promise<GoLive> {
  const [now, certificate, registration, trusted_issuers, endpoints] = await Promise.all([
    readClock(ctx.db),
    describeAccessCertificate(ctx, tenant_id),
    selectRegistration(ctx, { tenant_id, template: undefined }),
    countTrustedIssuers(ctx, tenant_id),
    listEndpoints(ctx, { tenant_id, environment: 'live' }),
  ])
  const state = certificateState(certificate, Date.parse(now))
  return {
    certificate: state,
    certificate_expires_at: certificate.expires_at,
    registration: registration !== undefined,
    trusted_issuers,
    key,
    webhook: delivered || endpoints.some(({ enabled }) => enabled),
    every_verification_fails: state === 'self_made' || state === 'expired' || trusted_issuers === 0 || !key,
  }
}

function certificateState(
  { self_made, expires_at }: { self_made: boolean; expires_at: string },
  now_ms: number,
): GoLive['certificate'] {
  if (self_made) return 'self_made'
  const stage = expiryStage(expires_at, now_ms)
  if (stage === undefined) return 'ok'
  return stage.days === 0 ? 'expired' : 'expires_soon'
}

async function countTrustedIssuers(
  { trust: { scopes } }: DashboardContext,
  tenant_id: string,
): Promise<number> {
  const { scope } = await scopes.forSession({ environment: 'live', tenant_id })
  return (await scopes.anchors(scope)).length
}
