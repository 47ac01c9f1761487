import type { Me } from '@vidimus/contract'
import { call } from '../api/call.ts'

/** A tenant of another cell in which this browser is signed in too. Its session is in a cookie that no script can read. */
type SignedInTenant = { cell: string; tenant: string; expires_at: string }

const tenantsKey = 'tenants'
const cellKey = 'cell'

/** Remembers the tenant of this page, for the menu on pages of tenants in other cells. */
export function rememberTenant({ cell, tenant, session }: Me): void {
  if (cell === undefined) return
  const others = readTenants().filter((each) => each.cell !== cell)
  writeTenants([...others, { cell, tenant: tenant.name, expires_at: session.expires_at }])
  write(cellKey, cell)
}

/** Calls back when another tab switches to another cell: this page would mix up two tenants. */
export function watchTenant({ cell }: Me, onSwitch: () => void): () => void {
  const listen = ({ key, newValue }: StorageEvent) => {
    if (cell !== undefined && key === cellKey && newValue !== null && newValue !== cell) onSwitch()
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}

export function otherTenants({ cell, now }: Me): SignedInTenant[] {
  if (cell === undefined) return []
  return readTenants().filter((each) => each.cell !== cell && each.expires_at > now)
}

/** The cell in which this browser signed in last. */
export function lastCell(): string | undefined {
  return read(cellKey) ?? undefined
}

/** Opens the dashboard of the other tenant, or the sign-in page if its session has ended. */
export async function switchTenant(cell: string): Promise<void> {
  try {
    await call('switchCell', { json: { cell } })
    location.assign('/dashboard/')
  } catch {
    // The cookie is gone.
    forgetTenant(cell)
    location.assign('/dashboard/sign-in')
  }
}

/** Ends this browser's sessions in every cell. */
export async function signOutOfAllTenants(me: Me): Promise<void> {
  await call('signOut', {})
  for (const { cell } of otherTenants(me)) {
    // Without its cookie there is nothing to end.
    const kept = await call('switchCell', { json: { cell } }).then(
      () => true,
      () => false,
    )
    if (kept) await call('signOut', {})
  }
  writeTenants([])
}

export function forgetTenant(cell: string | undefined): void {
  writeTenants(readTenants().filter((each) => each.cell !== cell))
}

function readTenants(): SignedInTenant[] {
  try {
    return JSON.parse(read(tenantsKey) ?? '[]') as SignedInTenant[] // only writeTenants writes it
  } catch {
    // Somebody else wrote it.
    return []
  }
}

function writeTenants(tenants: SignedInTenant[]): void {
  write(tenantsKey, JSON.stringify(tenants))
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // Storage is blocked.
    return null
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // Storage is blocked: the menu lists no other tenants.
  }
}
