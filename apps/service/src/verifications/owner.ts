import { toAuditActor, toAuditActorName } from '../audit/index.ts'
import type { Principal } from '../engine/basics/index.ts'
import type { SessionOwner } from './store.ts'

/** Whose sessions a caller may see: those of its tenant and environment; a device sees only those it created. */
export function toSessionOwner(principal: Principal): SessionOwner {
  return {
    tenant_id: principal.tenant_id,
    environment: principal.environment,
    device_id: principal.kind === 'device' ? principal.device_id : null,
  }
}

/** The actor, for SQL functions that write their own audit entry. */
export function actorColumns(principal: Principal): { actor: string; actor_name: string | null } {
  return { actor: toAuditActor(principal), actor_name: toAuditActorName(principal) }
}
