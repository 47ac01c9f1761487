import type { Database } from '../../apps/service/src/platform/db/open.ts'
import { sql } from '../../apps/service/src/platform/db/sql.ts'
import { runSqlText } from '../../apps/service/test/database/clock.ts'
import type { TenantFixture } from './household.ts'

/** Whichever way rows are read, a double comes first by one of them and last by the other. */
const duplicateTenantIds = ['00000000-0000-4000-8000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff']

/**
 * Gives a household's members and invitation doubles of the same id in other tenants. That ids are unique is a second line,
 * and it is taken away here: a statement that forgets the tenant then meets two rows. The doubles of owner and admin have
 * as many passkeys and sessions as anyone may have.
 */
export async function addTenantsWithSameIds(
  db: Database,
  { merchant, team, invitation }: TenantFixture,
): Promise<string[]> {
  const { tenant_id } = merchant
  const busy = [team.owner.id, team.admin.id]
  await runSqlText(
    db,
    `alter table members drop constraint members_id_key;
     alter table member_invitations drop constraint member_invitations_id_key`,
  )
  for (const duplicate of duplicateTenantIds) {
    await db.execute(sql`
      insert into tenants (id, name, plan, daily_quota)
      select ${duplicate}, 'A double', plan, 7 from tenants where id = ${tenant_id}`)
    await db.execute(sql`
      insert into members (tenant_id, id, email, name, role)
      select ${duplicate}::uuid, id, email, 'A double', 'auditor' from members where tenant_id = ${tenant_id}
      union all
      select ${duplicate}::uuid, member_id, email, 'A double', 'auditor'
      from member_invitations where tenant_id = ${tenant_id}`)
    await db.execute(sql`
      insert into member_invitations
        (tenant_id, id, token_hash, member_id, email, role, invited_by, created_at, expires_at)
      select ${duplicate}::uuid, id, sha256(token_hash || uuid_send(${duplicate}::uuid)), member_id, email, 'owner', 'A double',
        created_at, expires_at
      from member_invitations where tenant_id = ${tenant_id} and id = ${invitation.id}`)
    await db.execute(sql`
      insert into member_passkeys
        (credential_id, tenant_id, member_id, name, public_key, counter, transports, backed_up)
      select ${duplicate} || '.' || n || m, ${duplicate}::uuid, m, 'A double', '\\x00', 0, '{}', false
      from generate_series(1, 20) n, unnest(${busy}::uuid[]) m`)
    await db.execute(sql`
      insert into member_sessions (token_hash, tenant_id, member_id, created_at, seen_at, expires_at)
      select sha256(convert_to(${duplicate} || n || m, 'UTF8')), ${duplicate}::uuid, m,
        service_now() - interval '1 hour', service_now(), service_now() + interval '8 hours'
      from generate_series(1, 20) n, unnest(${busy}::uuid[]) m`)
  }
  return duplicateTenantIds
}

/** A passkey of the owner's double. */
export function duplicatePasskeyId(tenant_id: string, { team }: TenantFixture): string {
  return `${tenant_id}.1${team.owner.id}`
}
