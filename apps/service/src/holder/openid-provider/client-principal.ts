import type { ClientPrincipal } from '../../engine/basics/index.ts'
import type { ClientRow } from './clients/store.ts'

/** The client as a caller, which sees the verifications of its tenant and environment. */
export function toPrincipal({ id, name, tenant_id, environment }: ClientRow): ClientPrincipal {
  return { kind: 'client', client_id: id, name, tenant_id, environment }
}
