import { maxFoundOfKind, type SearchResults } from '@vidimus/contract'
import { listKeys } from '../accounts/index.ts'
import type { DashboardContext } from './context.ts'
import { searchDevices } from '../devices/index.ts'
import { listClients } from '../holder/index.ts'
import type { MemberPrincipal } from '../engine/basics/index.ts'
import { listRequests } from './request-log/list-requests.ts'
import { listTemplates } from '../templates/index.ts'
import { searchVerifications } from '../verifications/index.ts'

/** What a tenant has in an environment that matches a text: by id, name or key, in part; metadata by a whole value, requests by their whole id. */
export async function search(
  ctx: DashboardContext,
  member: MemberPrincipal,
  given: string,
): Promise<SearchResults> {
  const text = given.trim()
  const { tenant_id, environment } = member
  const [verifications, requests, keys, devices, templates, clients] = await Promise.all([
    searchVerifications(ctx, member, { text, limit: maxFoundOfKind }),
    listRequests(ctx, member, { request_id: text, limit: maxFoundOfKind }),
    listKeys(ctx, { tenant_id, environment }),
    searchDevices(ctx, { tenant_id, environment }, { text, limit: maxFoundOfKind }),
    listTemplates(ctx, tenant_id),
    listClients(ctx, { tenant_id, environment }),
  ])
  return {
    verifications,
    requests: requests.data.slice(0, maxFoundOfKind),
    keys: keys
      .filter(({ id, name, prefix }) => matches(text, id, name, prefix))
      .slice(0, maxFoundOfKind)
      .map(({ id, name, prefix, revoked_at }) => ({ id, name, prefix, revoked: revoked_at !== null })),
    devices,
    templates: templates
      .filter(({ key, name }) => matches(text, key, name))
      .slice(0, maxFoundOfKind)
      .map(({ key, name, built_in }) => ({ key, name, built_in })),
    openid_clients: clients
      .filter(({ id, name }) => matches(text, id, name))
      .slice(0, maxFoundOfKind)
      .map(({ id, name }) => ({ id, name })),
  }
}

function matches(text: string, ...values: string[]): boolean {
  const part = text.toLowerCase()
  return values.some((value) => value.toLowerCase().includes(part))
}
