import type { Settings, TrustListState } from '@vidimus/contract'
import type { Context } from '../context.ts'
import { getBrand } from '../tenants/brand.ts'
import { getPolicies } from '../tenants/get-policies.ts'
import { describeCertificate } from '../trust/describe-certificate.ts'
import { getVerifierInfo } from '../trust/get-verifier-info.ts'
import { listLists } from '../trust/lists/list.ts'

/** What a tenant has decided, and what it asks and trusts with. */
export async function getSettings(ctx: Context, tenant_id: string): Promise<Settings> {
  const [brand, policies, certificate, verifier_info, lists] = await Promise.all([
    getBrand(ctx, tenant_id),
    getPolicies(ctx, tenant_id),
    describeCertificate(ctx, tenant_id),
    getVerifierInfo(ctx, tenant_id),
    listLists(ctx),
  ])
  const { retention_days, forget_on_delivery, hold_back, status_unavailable } = policies
  return {
    brand,
    policies: { retention_days, forget_on_delivery, hold_back, status_unavailable },
    certificate,
    ...(verifier_info !== undefined && { verifier_info }),
    trust_lists: lists.map(viewList),
  }
}

function viewList(list: Awaited<ReturnType<typeof listLists>>[number]): TrustListState {
  const { environment, url, anchors, stale, lapsed } = list
  return {
    environment,
    url,
    anchors,
    stale,
    lapsed,
    ...(list.next_update !== null && { next_update: list.next_update }),
    ...(list.trusted_until !== null && { trusted_until: list.trusted_until }),
    ...(list.refreshed_at !== null && { refreshed_at: list.refreshed_at }),
    ...(list.fault !== null && { fault: list.fault }),
  }
}
