import { may } from '@vidimus/contract'
import type { DevicePrincipal } from '../engine/basics/index.ts'
import type { Context } from '../engine/context.ts'
import { type LastUseRecorder, recordLastUse } from '../engine/scheduling/index.ts'
import { type ActiveDevice, markSeen } from './store.ts'

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

/** Keeps `last_seen_at` accurate to a minute. */
export function recordDeviceUse({ db, log }: Pick<Context, 'db' | 'log'>): LastUseRecorder<{ id: string }> {
  return recordLastUse({
    log,
    what: 'devices',
    write: (devices) =>
      markSeen(
        db,
        devices.map(({ id }) => id),
      ),
  })
}
