import { may } from '@vidimus/contract'
import type { DevicePrincipal } from '../engine/basics/index.ts'
import type { ActiveDevice } from './store.ts'

/** The device as a caller, or, without scopes, as the actor of its own enrolment or revocation. */
export function toDevicePrincipal(
  device: Omit<ActiveDevice, 'tokens_after_seconds' | 'maker_role'>,
  {
    scopes = [],
    maker_role = null,
  }: Partial<Pick<ActiveDevice, 'maker_role'> & Pick<DevicePrincipal, 'scopes'>> = {},
): DevicePrincipal {
  const { id, name, tenant_id, environment, allowed_templates } = device
  const reads_claims = maker_role === null || may(maker_role, 'read_claims')
  return {
    kind: 'device',
    device_id: id,
    name,
    tenant_id,
    environment,
    allowed_templates,
    scopes,
    reads_claims,
  }
}
