import { expect, test } from 'vitest'
import { openTestStores } from '../../test/database/stores.ts'
import { sql } from '../platform/db/sql.ts'
import { listOtherTables } from './store.ts'
import { changedColumns, listTablesToCopy, otherTables, tablesLeftBehind } from './tables.ts'

test('[MOVE-6] every table is copied, or says why it is not, and nothing sealed or keyed is copied as it is', async () => {
  await using stores = await openTestStores()
  const { db } = stores
  expect(await listOtherTables(db)).toEqual(Object.keys(otherTables).toSorted())
  const copied = await listTablesToCopy(db)
  expect(copied).not.toEqual(expect.arrayContaining(Object.keys(tablesLeftBehind)))

  const keyed = await db.query<{ name: string; column: string }>(sql`
    select c.relname::text as name, a.attname::text as column
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relname = any (${copied}::text[]) and a.atttypid = 'bytea'::regtype
    order by 1, 2`)
  const unchanged = keyed.filter(({ name, column }) => !(changedColumns[name] ?? []).includes(column))
  expect(unchanged.map(({ name, column }) => `${name}.${column}`)).toEqual(sameInEveryCell)
})

/** Plain hashes, public bytes and the audit log's own secrets; idempotency hashes, whose key is carried. */
const sameInEveryCell = [
  'access_certificates.hash',
  'api_keys.hash',
  'audit_chains.link',
  'audit_entries.actor_name',
  'audit_entries.link',
  'audit_entries.purpose',
  'audit_entries.subject',
  'audit_texts.secret',
  'member_invitations.token_hash',
  'member_passkeys.public_key',
  'member_sessions.token_hash',
  'openid_client_secrets.hash',
  'registrations.fingerprint',
  'registrations.info_base64url',
  'registrations.info_jwt',
  'templates.version',
  'tenant_anchors.certificate',
  'tenant_anchors.fingerprint',
  'tenant_identities.certificate',
  'tenant_identities.verifier_info',
  'verification_sessions.certificate',
  'verification_sessions.idempotency_hash',
  'verification_sessions.response_code_hash',
  'verification_sessions.template_version',
]
