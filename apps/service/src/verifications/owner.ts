import { toAuditActor, toAuditActorName } from '../audit/append.ts'
import type { Principal } from '../platform/principal.ts'
import type { SessionOwner } from './store.ts'

/** Whose sessions a caller may see: its tenant's in its environment; a device's, those that it made itself. */
export function toSessionOwner(principal: Principal): SessionOwner {
  return {
    tenant_id: principal.tenant_id,
    environment: principal.environment,
    device_id: principal.kind === 'device' ? principal.device_id : null,
  }
}

/** Who did it, for the functions in the database that write their audit entry themselves. */
export function actorColumns(principal: Principal): { actor: string; actor_name: string | null } {
  return { actor: toAuditActor(principal), actor_name: toAuditActorName(principal) }
}
