import type { DevicePrincipal } from '../platform/principal.ts'
import type { ActiveDevice } from './store.ts'

/** The device as a caller, or, without scopes, as the actor of its own enrolment or revocation. */
export function toDevicePrincipal(
  { id, name, tenant_id, environment, allowed_templates }: Omit<ActiveDevice, 'tokens_after_seconds'>,
  scopes: DevicePrincipal['scopes'] = [],
): DevicePrincipal {
  return { kind: 'device', device_id: id, name, tenant_id, environment, allowed_templates, scopes }
}
