import type { DashboardDevice, Device, DevicePage, ListDevices, SearchResults } from '@vidimus/contract'
import type { Principal } from '../engine/basics/index.ts'
import type { Context } from '../engine/context.ts'
import type { Db } from '../engine/db/index.ts'
import {
  type DeviceSummary,
  findDevicesByText,
  readAllowedTemplates,
  readDeviceNames,
  readDevicesWithTemplate,
  summarizeDevices as readSummary,
} from './lookup-store.ts'
import {
  type DeviceOwner,
  type DeviceRow,
  type ShownDeviceRow,
  readDevicePage,
  readDevices,
} from './store.ts'

/** The tenant's devices, newest first. The published API has no pages here. */
export async function listAllDevices(
  { db }: Pick<Context, 'db'>,
  principal: Pick<Principal, 'tenant_id' | 'environment'>,
): Promise<Device[]> {
  return (await readDevices(db, principal)).map(viewDevice)
}

/** A page of a tenant's devices in an environment, newest first. */
export async function listDevicePage(
  { db }: Pick<Context, 'db'>,
  owner: DeviceOwner,
  { limit, before }: ListDevices,
): Promise<DevicePage> {
  const [created_at = '', id = ''] = before?.split('_') ?? []
  const rows = await readDevicePage(db, owner, {
    limit: limit + 1,
    before: before === undefined ? undefined : { created_at, id },
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    data: page.map(viewListedDevice),
    ...(rows.length > limit && last !== undefined && { next_before: `${last.created_at}_${last.id}` }),
  }
}

/** Some of the tenant's devices, in either environment, that may use a template. */
export function listDevicesWithTemplate(
  tx: Db,
  template: { tenant_id: string; key: string; limit: number },
): Promise<Pick<DeviceRow, 'name' | 'environment'>[]> {
  return readDevicesWithTemplate(tx, template)
}

/** The templates that the devices of an environment may use, once each. */
export async function listAllowedTemplates(tx: Db, of: DeviceOwner): Promise<string[]> {
  return (await readAllowedTemplates(tx, of)).map(({ key }) => key)
}

/** A tenant's devices whose name or id contains a text, newest first. */
export async function searchDevices(
  { db }: Pick<Context, 'db'>,
  owner: DeviceOwner,
  search: { text: string; limit: number },
): Promise<SearchResults['devices']> {
  return findDevicesByText(db, owner, search)
}

/** What the overview shows about a tenant's devices, without reading them all. */
export function summarizeDevices(
  { db }: Pick<Context, 'db'>,
  scope: DeviceOwner & { limit: number },
): Promise<DeviceSummary> {
  return readSummary(db, scope)
}

/** The names of those devices that the tenant has, by id. */
export async function nameDevices(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = ids.length === 0 ? [] : await readDeviceNames(db, { tenant_id, ids })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The device as the merchant and the device see it. A pending device has the expiry of its pairing code. */
export function viewDevice(row: ShownDeviceRow): Device {
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

/** The device as the dashboard shows it: also the fate of its pairing code, whether a used token was presented again, and what its till is set to. */
export function viewListedDevice(row: DeviceRow): DashboardDevice {
  const { expired, revoked_by_reuse, pin, keep_awake, purpose } = row
  return {
    ...viewDevice(row),
    expired,
    revoked_by_reuse,
    pin,
    keep_awake,
    ...(purpose !== null && { purpose }),
  }
}
