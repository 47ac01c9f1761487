import type { Verification } from '@vidimus/contract'
import { toAuditActor, toAuditActorName } from '../audit/index.ts'
import type { Principal } from '../engine/basics/index.ts'
import type { Context } from '../engine/context.ts'
import {
  type VerificationOwner,
  type VerificationRow,
  type VerificationTimes,
  returnedMembers,
} from './store.ts'
import { requestUri, walletUri } from './wallet/uris.ts'

/**
 * The row as the merchant sees it, on every route and in every webhook. The query that reads the row also decides whether a
 * pending verification has expired, so no job needs to have run. It shows nothing of a response that is held back (RET-2).
 */
export function viewVerification(ctx: Pick<Context, 'config'>, row: VerificationRow): Verification {
  return {
    ...viewWithoutTimes(ctx, row),
    created_at: row.created_at,
    expires_at: row.expires_at,
    ...(row.responded_at !== null && !row.withheld && { responded_at: row.responded_at }),
  }
}

type UntimedRow = Omit<VerificationRow, keyof VerificationTimes | 'responded_at'>

function viewWithoutTimes(
  { config }: Pick<Context, 'config'>,
  row: UntimedRow,
): Omit<Verification, keyof VerificationTimes> {
  const { status, withheld } = row
  return {
    id: row.id,
    status,
    ...(row.template !== null && { template: row.template }),
    ...(status === 'pending' &&
      !withheld && {
        wallet_uri: walletUri(config.BASE_URL, row),
        request_uri: requestUri(config.BASE_URL, row.id),
      }),
    ...(status === 'completed' && row.claims !== null && { claims: row.claims }),
    ...(row.credentials !== null &&
      row.credentials.length > 0 &&
      !withheld && { credentials: row.credentials }),
    ...(status === 'failed' && row.error !== null && { error: row.error }),
    ...(row.metadata !== null && { metadata: row.metadata }),
    ...Object.fromEntries(
      returnedMembers
        .map((name) => [name, row[name] ?? undefined])
        .filter(([, value]) => value !== undefined),
    ),
  }
}

type NewVerification = Omit<UntimedRow, 'status' | 'withheld' | 'error' | 'claims' | 'credentials'>

/**
 * The body of the 201, byte for byte the same from the request and from the row, whatever has become of the verification since: a
 * repeated request gets it again. `times` are those of the creation, because a cancellation changes the row's.
 */
export function renderCreated(
  ctx: Pick<Context, 'config'>,
  verification: NewVerification,
  times: VerificationTimes,
): string {
  const { metadata } = verification
  const result = { status: 'pending', withheld: false, error: null, claims: null, credentials: null } as const
  const created = { ...verification, ...result, metadata: metadata && inStoredOrder(metadata) }
  return addTimes(JSON.stringify(viewWithoutTimes(ctx, created)), times)
}

/** The order in which `jsonb` keeps members: by the length of their names in UTF-8, then by their bytes. */
function inStoredOrder(metadata: Record<string, string>): Record<string, string> {
  const members = Object.entries(metadata).map(([name, value]) => ({
    name: Buffer.from(name),
    member: [name, value] as const,
  }))
  members.sort((a, b) => a.name.length - b.name.length || a.name.compare(b.name))
  return Object.fromEntries(members.map(({ member }) => member))
}

/** The text of a 201 with the times that only the database knows. */
export function addTimes(withoutTimes: string, { created_at, expires_at }: VerificationTimes): string {
  return `${withoutTimes.slice(0, -1)},"created_at":"${created_at}","expires_at":"${expires_at}"}`
}

/** Whose verifications a caller may see: those of its tenant and environment; a device sees only those it created. */
export function toVerificationOwner(principal: Principal): VerificationOwner {
  return {
    tenant_id: principal.tenant_id,
    environment: principal.environment,
    device_id: principal.kind === 'device' ? principal.device_id : null,
  }
}

/** The actor, for SQL functions that write their own audit entry. */
export function actorColumns(principal: Principal): {
  actor: string
  actor_name: string | null
} {
  return { actor: toAuditActor(principal), actor_name: toAuditActorName(principal) }
}
