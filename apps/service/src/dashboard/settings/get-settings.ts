import type { ServiceAnchors, Settings, TrustAnchor, TrustListState } from '@vidimus/contract'
import type { DashboardContext } from '../context.ts'
import { getRequestLogSettings } from '../request-log/record.ts'
import { erasureAddress, getBrand, getHolderPage, getPolicies } from '../../accounts/index.ts'
import {
  type AnchorPage,
  type CertificateSummary,
  type TenantTrust,
  describeAccessCertificate,
  getTenantTrust,
  listEcosystemIdentities,
  listTrustLists,
} from '../../trust/index.ts'

/** A tenant's brand, policies, holder's page, certificate and trusted issuers. */
export async function getSettings(ctx: DashboardContext, tenant_id: string): Promise<Settings> {
  const [brand, policies, holder_page, request_log, certificate, own, lists] = await Promise.all([
    getBrand(ctx, tenant_id),
    getPolicies(ctx, tenant_id),
    getHolderPage(ctx, tenant_id),
    getRequestLogSettings(ctx, tenant_id),
    describeAccessCertificate(ctx, tenant_id),
    getTenantTrust(ctx, tenant_id),
    listTrustLists(ctx),
  ])
  return {
    brand,
    policies,
    holder_page,
    erasure_url: erasureAddress(ctx, { tenant_id }),
    request_log,
    certificate,
    identities: await listEcosystemIdentities(ctx, tenant_id, pageHosts(ctx, holder_page.page_origins)),
    own_trust: viewOwnTrust(own),
    trust_lists: lists.map(viewList),
  }
}

/** The hosts of the pages that may ask: the tenant's, and the hosted page. */
function pageHosts({ config }: DashboardContext, origins: readonly string[]): string[] {
  return [config.BASE_URL, ...origins].flatMap((origin) => URL.parse(origin)?.hostname ?? [])
}

function viewOwnTrust({ policy, anchors }: TenantTrust): Settings['own_trust'] {
  return {
    policy,
    anchors: anchors.map(({ environment, document_types, role, entity, ...certificate }) => ({
      ...viewAnchor(certificate),
      environment,
      role,
      ...(entity !== null && { entity }),
      ...(document_types !== null && { document_types: [...document_types] }),
    })),
  }
}

export function viewServiceAnchors({ anchors, next_after }: AnchorPage): ServiceAnchors {
  return {
    data: anchors.map(({ document_types, role, entity, source, expired, ...certificate }) => ({
      ...viewAnchor(certificate),
      role,
      source,
      expired,
      ...(entity !== null && { entity }),
      ...(document_types !== null && { document_types: [...document_types] }),
    })),
    ...(next_after !== undefined && { next_after }),
  }
}

export function viewAnchor({ subject, not_after, fingerprint }: CertificateSummary): TrustAnchor {
  return { subject, expires_at: not_after.replace('Z', '000Z'), fingerprint }
}

function viewList(list: Awaited<ReturnType<typeof listTrustLists>>[number]): TrustListState {
  const { environment, url, anchors, stale, expired } = list
  return {
    environment,
    url,
    anchors,
    stale,
    expired,
    ...(list.next_update !== null && { next_update: list.next_update }),
    ...(list.trusted_until !== null && { trusted_until: list.trusted_until }),
    ...(list.refreshed_at !== null && { refreshed_at: list.refreshed_at }),
    ...(list.fault !== null && { fault: list.fault }),
  }
}
