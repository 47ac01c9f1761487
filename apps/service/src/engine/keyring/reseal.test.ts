import { exportAnchors } from '@vidimus/sandbox'
import { expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { registerSite } from '../../../test/openid/site.ts'
import { startService, type Service } from '../../../test/service.ts'
import { newAccessCertificate } from '../../../test/trust/access-certificate.ts'
import { getAuditKey } from '../../audit/log/open-log.ts'
import { sql } from '../db/sql.ts'
import { openMemoryMasterKey } from './master-key.ts'
import { openKeyring } from './open.ts'
import { rotateKeyring } from './rewrap.ts'
import { keySettles_seconds, listKeys, maxResealed, resealValues, retireKey } from './retire.ts'
import { readOldValues, replaceSealed } from './sealed-values-store.ts'
import { getIdentityHash } from '../../trust/identity/get-identity.ts'
import { openStoredIdentity } from '../../trust/identity/open-identity.ts'
import { setIdentity } from '../../trust/identity/set-identity.ts'
import { findCertificate } from '../../trust/identity/store.ts'
import { openSandboxIssuer } from '../../trust/sandbox/open-sandbox.ts'
import { newSealedSecret, unsealSecret } from '../../accounts/webhook-secrets/create-secrets.ts'

/** The master key of services under test. */
const master_keys = [openMemoryMasterKey(Buffer.alloc(32, 7))]
const [firstKey, secondKey] = [2, 3]
const never = new AbortController().signal

/** Secrets of one tenant, as rotations leave them. */
async function addSecrets({ ctx: { db, keyring } }: Service, tenant_id: string, count: number) {
  const secrets = Array.from({ length: count }, () => newSealedSecret(keyring))
  for (const { sealed } of secrets)
    await db.execute(
      sql`insert into webhook_secrets (tenant_id, sealed, retires_at) values (${tenant_id}, ${sealed}, service_now() + interval '1 hour')`,
    )
  return secrets.map(({ secret }) => secret)
}

async function readSecrets({ ctx: { db, keyring } }: Service): Promise<string[]> {
  const rows = await db.query<{ sealed: Buffer }>(sql`select sealed from webhook_secrets limit 1000`)
  return Promise.all(rows.map(({ sealed }) => unsealSecret(keyring, sealed)))
}

async function countOf({ ctx: { db } }: Service, id: number): Promise<number> {
  return (await listKeys(db)).find((key) => key.id === id)?.sealed_values ?? Number.NaN
}

test('after a rotation every kind of value is sealed again under the new key, in batches, and opens as before', async () => {
  await using service = await startService()
  const { ctx } = service
  const merchant = await service.tenant()
  const { tenant_id } = merchant
  const own = newAccessCertificate()
  await setIdentity(ctx, { tenant_id, certificate: own })
  await merchant.post('/v1/webhook_endpoints', {
    url: 'https://shop.example/hook',
    events: ['verification.completed'],
  })
  const site = await registerSite(service, { merchant })
  const secrets = await addSecrets(service, tenant_id, maxResealed)
  const [issuer, auditKey, before] = [
    await openSandboxIssuer(ctx),
    await getAuditKey(ctx),
    await readSecrets(service),
  ]
  const total = await countOf(service, firstKey)
  expect(total).toBeGreaterThan(maxResealed + 4)
  await rotateKeyring({ db: ctx.db, master_keys })

  expect(await resealValues(ctx, never)).toBe(true)
  expect([await countOf(service, firstKey), await countOf(service, secondKey)]).toEqual([
    total - maxResealed,
    maxResealed,
  ])
  while (await resealValues(ctx, never));

  expect([await countOf(service, firstKey), await countOf(service, secondKey)]).toEqual([0, total])
  expect((await readSecrets(service)).toSorted()).toEqual(before.toSorted())
  expect(before).toEqual(expect.arrayContaining(secrets))
  const restarted = { ...ctx, keyring: await openKeyring({ db: ctx.db, master_keys, cell: ctx.config.CELL }) }
  expect(exportAnchors(await openSandboxIssuer(restarted))).toEqual(exportAnchors(issuer))
  expect(await getAuditKey(restarted)).toEqual(auditKey)
  const { code, verifier } = await site.obtainCode()
  expect((await site.exchange({ code, code_verifier: verifier })).status).toBe(200)
  const row = await findCertificate(ctx.db, await getIdentityHash(restarted, tenant_id))
  if (row === undefined) throw new Error('the certificate is gone')
  expect((await openStoredIdentity(restarted, row)).client_id).toBe(own.client_id)
})

test('a value that changes while it is sealed again keeps its change, and one that cannot be opened does not stop the others', async () => {
  await using service = await startService()
  const { ctx } = service
  const { tenant_id } = await service.tenant()
  await addSecrets(service, tenant_id, 3)
  await rotateKeyring({ db: ctx.db, master_keys })
  const values = await readOldValues(ctx.db, { keys: [firstKey], limit: 100 })
  const value = values.find(({ table }) => table === 'webhook_secrets')
  if (value === undefined) throw new Error('nothing is sealed')
  const { sealed: changed } = newSealedSecret(ctx.keyring)
  expect(await replaceSealed(ctx.db, { ...value, resealed: changed })).toBe(true)

  expect(await replaceSealed(ctx.db, { ...value, resealed: Buffer.from(value.sealed) })).toBe(false)
  const altered = Buffer.concat([changed.subarray(0, -1), Buffer.of((changed.at(-1) ?? 0) ^ 1)])
  await ctx.db.execute(sql`insert into webhook_secrets (tenant_id, sealed) values (${tenant_id}, ${altered})`)
  while (await resealValues(ctx, never));
  // The altered value, which nobody can open.
  expect(await countOf(service, firstKey)).toBe(1)
})

test('a key is deleted only when nothing is sealed under it, also if a process seals with it at that moment', async () => {
  await using service = await startService()
  const { ctx } = service
  const { db } = ctx
  const { tenant_id } = await service.tenant()
  const stale = await openKeyring({ db, master_keys, cell: ctx.config.CELL })
  const insert = (tx: typeof db | Parameters<Parameters<typeof db.transaction>[0]>[0]) =>
    tx.execute(
      sql`insert into webhook_secrets (tenant_id, sealed) values (${tenant_id}, ${newSealedSecret(stale).sealed})`,
    )

  await expect(retireKey(db, 99)).rejects.toThrow('The key ring has no key 99.')
  await expect(retireKey(db, 1)).rejects.toThrow('Key 1 hashes')
  await expect(retireKey(db, firstKey)).rejects.toThrow('Key 2 seals.')
  await rotateKeyring({ db, master_keys })
  await expect(retireKey(db, firstKey)).rejects.toThrow('processes may still seal with key 2')
  await setClockOffset(db, `${keySettles_seconds + 1} seconds`)
  await expect(retireKey(db, firstKey)).rejects.toThrow(/Key 2 still seals \d+ values/)
  while (await resealValues(ctx, never));

  const sealedMeanwhile = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const sealing = db.transaction(async (tx) => {
    await insert(tx)
    sealedMeanwhile.resolve()
    await commit.promise
  })
  await sealedMeanwhile.promise
  const retiring = retireKey(db, firstKey)
  commit.resolve()
  await sealing
  await expect(retiring).rejects.toThrow('Key 2 still seals 1 values')

  while (await resealValues(ctx, never));
  await retireKey(db, firstKey)
  expect((await listKeys(db)).map(({ id, state }) => [id, state])).toEqual([
    [1, 'hashes'],
    [firstKey, 'retired'],
    [secondKey, 'seals'],
  ])
  await expect(insert(db)).rejects.toThrow('sealing key 2 is retired')
  await expect(retireKey(db, firstKey)).rejects.toThrow('already retired')
  expect(await rotateKeyring({ db, master_keys })).toBe(secondKey + 1)
  expect((await readSecrets(service)).length).toBeGreaterThan(0)
})
