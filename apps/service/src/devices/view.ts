import type { Device, DashboardDevice } from '@vidimus/contract'
import type { DeviceRow } from './store.ts'

/** The device as the merchant and the device see it. A pending device has the expiry of its pairing code. */
export function viewDevice(row: DeviceRow): Device {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    allowed_templates: row.allowed_templates,
    created_at: row.created_at,
    ...(row.status === 'pending' && { pairing_expires_at: row.pairing_expires_at }),
    ...(row.enrolled_at !== null && { enrolled_at: row.enrolled_at }),
    ...(row.last_seen_at !== null && { last_seen_at: row.last_seen_at }),
    ...(row.revoked_at !== null && { revoked_at: row.revoked_at }),
  }
}

/** The device as the dashboard shows it, with the fate of its pairing code and whether a used token was presented again. */
export function viewListedDevice(row: DeviceRow): DashboardDevice {
  return { ...viewDevice(row), lapsed: row.lapsed, revoked_by_reuse: row.revoked_by_reuse }
}
