import type { Environment } from '@vidimus/contract'
import type { Anchor } from '@vidimus/protocol'
import { type ChangeVersion, type Database, validatedCache } from '../../engine/db/index.ts'
import { toAnchor, type TrustSnapshot } from '../anchors/watch.ts'
import { type Sandbox, isSandboxCertificate } from '../sandbox/open-sandbox.ts'
import { readTenantAnchors, readTenantTrust, type TenantTrustRow, type TrustPolicy } from './store.ts'

/** The anchors that apply to a verification: those of the environment, or those that its tenant has chosen. */
export type TrustScope = { environment: Environment; tenant?: { id: string; policy: TrustPolicy } }

/** `version` changes whenever the anchors of the scope do and is never reused. */
export type VersionedScope = { scope: TrustScope; version: string }

export type TrustScopes = {
  /** A verification that was read with a change version needs no statement for its scope. */
  forVerification(verification: {
    environment: Environment
    tenant_id: string
    change_version?: ChangeVersion
  }): Promise<VersionedScope>
  anchors(scope: TrustScope): Promise<readonly Anchor[]>
}

export type OpenScopes = {
  db: Database
  sandbox: Sandbox
  snapshot: (environment: Environment) => Promise<TrustSnapshot>
}

/** TRUST-1: a certificate path must end at an anchor of the verification's environment that the tenant's policy allows. */
export function openScopes({ db, sandbox, snapshot }: OpenScopes): TrustScopes {
  return {
    async forVerification({ environment, tenant_id: id, change_version }) {
      const [{ version }, tenantTrust] = await Promise.all([
        snapshot(environment),
        tenantTrusts.at(db, change_version, id),
      ])
      if (tenantTrust === undefined || tenantTrust === 'unchanged') return { scope: { environment }, version }
      const { policy } = tenantTrust
      return { scope: { environment, tenant: { id, policy } }, version: `${version} ${tenantTrust.version}` }
    },
    async anchors({ environment, tenant }) {
      const { anchors } = await snapshot(environment)
      if (tenant === undefined) return anchors
      const own = await readTenantAnchors(db, { tenant_id: tenant.id, environment })
      return [
        ...(tenant.policy === 'all' ? anchors : await sandboxAnchors(environment)),
        ...own.map(toAnchor),
      ].filter(({ certificate }) => environment === 'test' || !isSandboxCertificate(certificate))
    },
  }

  /** The test environment trusts the sandbox, whatever a tenant's policy says about real issuers (TRUST-2). */
  async function sandboxAnchors(environment: Environment): Promise<Anchor[]> {
    return environment === 'test' ? sandbox.anchors() : []
  }
}

/** Most tenants have never changed their trust and have no row, so its absence is cached too. */
const tenantTrusts = validatedCache<string, TenantTrustRow | 'unchanged'>({
  maxBatch: 100,
  maxWaiting: 2000,
  nameOf: (id) => id,
  async read(db, ids) {
    const { asOf, rows } = await readTenantTrust(db, ids)
    const byTenant = new Map(rows.map((row) => [row.tenant_id, row]))
    return { asOf, values: ids.map((id) => byTenant.get(id) ?? 'unchanged') }
  },
})
