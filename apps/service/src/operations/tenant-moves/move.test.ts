import { expect, test } from 'vitest'
import { caller } from '../../../test/caller.ts'
import { runSqlText } from '../../../test/database/clock.ts'
import { openWallet } from '../../../test/wallet.ts'
import { callAt, fillTenant, keyedRequest, startTwoCells } from '../../../test/two-cells.ts'
import { verifyEverything } from '../../audit/verify/verify.ts'
import { flushAudit, installationChain, listAudit, recordsAs } from '../../audit/index.ts'
import { sql } from '../../engine/db/sql.ts'
import { deriveEventId } from '../../deliveries/webhooks/compose.ts'
import { readTenantSecrets } from '../../deliveries/webhooks/secrets/secrets.ts'
import { type MoveStep, abortMove, finishMove, moveTenant } from './move.ts'

test('[MOVE-2] after a move the other cell answers as this one did, with the same keys, tokens and ids', async () => {
  await using cells = await startTwoCells()
  const { source, target } = cells
  const tenant = await fillTenant(source)
  const [here, there] = [callAt(source, tenant), callAt(target, tenant)]
  const read = async (by: typeof here) => ({
    list: (await by.get('/v1/verifications')).body,
    sent: (await by.get(`/v1/verifications/${tenant.sent}`)).body,
    usage: (await by.get('/v1/usage')).body,
    devices: (await by.get('/v1/devices')).body,
    endpoints: (await by.get('/v1/webhook_endpoints')).body,
  })
  const before = await read(here)
  expect((await there.get('/v1/verifications')).status).toBe(401)

  const moved = await cells.move(tenant.tenant_id)

  expect(moved.rows).toBeGreaterThan(40)
  expect(await read(there)).toEqual(before)
  // A retry of a creation gets its first response, and a token of the old cell works once, as it would have there.
  const replay = await there.post('/v1/verifications', keyedRequest.body, keyedRequest.options)
  expect([replay.status, replay.body.id]).toEqual([201, tenant.keyed])
  const device = caller(target.address, tenant.tokens.access_token)
  expect((await device.post('/v1/verifications', { template: 'age_over_18' })).status).toBe(201)
  const refresh = () =>
    target.anonymous.post('/v1/devices/token', { refresh_token: tenant.tokens.refresh_token })
  const refreshed = await refresh()
  expect([refreshed.status, refreshed.body.access_token?.slice(0, 4)]).toEqual([200, 'vd_1'])
  expect((await refresh()).body.error.code).toBe('invalid_refresh_token')
  expect(await deriveEventId(target.ctx.keyring, tenant.open.id)).toBe(
    await deriveEventId(source.ctx.keyring, tenant.open.id),
  )
})

test('[MOVE-2] a wallet that fetched its request in the old cell can respond in the new one', async () => {
  await using cells = await startTwoCells()
  const { source, target } = cells
  const tenant = await fillTenant(source)
  // The posted form was encrypted for the request that the old cell served.
  let form = ''
  const walletHere = await openWallet(source.ctx, source.address, {
    issuer: (await openWallet(target.ctx, target.address)).wallet.issuer,
    onPost: (posted) => (form = posted),
  })
  await walletHere.respond(tenant.open.wallet_uri)

  await cells.move(tenant.tenant_id)

  const response = await fetch(`${target.address}/wallet/response/${tenant.open.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form,
  })
  expect(response.status).toBe(200)
  const there = callAt(target, tenant)
  expect((await there.get(`/v1/verifications/${tenant.open.id}/status`)).body.status).toBe('completed')
  const owner = { tenant_id: tenant.tenant_id, environment: 'test' } as const
  expect(await readTenantSecrets(target.ctx, owner)).toEqual(await readTenantSecrets(source.ctx, owner))
})

test('both logs verify after a move, and the chain continues where it ended, with proof of where that was', async () => {
  await using cells = await startTwoCells()
  const { source, target } = cells
  const tenant = await fillTenant(source)
  const { tenant_id } = tenant
  await cells.move(tenant_id)
  await callAt(target, tenant).post('/v1/verifications', { template: 'age_over_18' })
  await flushAudit(target.ctx, tenant_id)

  const readEnd = (ctx: typeof source.ctx) =>
    ctx.db.query<{ seq: number; action: string; detail: string | null }>(sql`
      select seq, action, detail from audit_entries where tenant_id = ${tenant_id} order by seq desc limit 2`)
  const [, moved] = await readEnd(target.ctx)
  const [last] = await readEnd(source.ctx)
  expect([last?.action, moved?.action, moved?.seq]).toEqual([
    'tenant.move_started',
    'tenant.moved',
    (last?.seq ?? 0) + 1,
  ])
  expect(JSON.parse(moved?.detail ?? '{}')).toMatchObject({ from: '0', to: '1', seq: last?.seq })
  for (const { ctx } of [source, target])
    expect(await verifyEverything(ctx)).toMatchObject({ valid: true, faults: [] })
  await finishMove({ source: source.ctx, target: target.ctx }, { tenant_id, name: 'A merchant' })
  for (const { ctx } of [source, target])
    expect(await verifyEverything(ctx)).toMatchObject({ valid: true, faults: [] })
  expect((await callAt(source, tenant).get('/v1/usage')).status).toBe(401)
})

test("each step of a move is in the installation's log of the cell where it happened", async () => {
  await using cells = await startTwoCells()
  const { source, target } = cells
  const { tenant_id } = await fillTenant(source)
  const both = { source: source.ctx, target: target.ctx }
  const record = recordsAs('installation.tenant_moved', { name: 'Ada', reason: 'Contract' })
  await moveTenant(both, { tenant_id, record })
  await finishMove(both, { tenant_id, name: 'A merchant', record })
  const read = async (ctx: typeof source.ctx) => {
    await flushAudit(ctx)
    const filter = { tenant_id: installationChain, action: 'installation.tenant_moved', limit: 10 }
    return (await listAudit(ctx, filter)).data.map(({ actor_name, purpose, detail }) => [
      actor_name,
      purpose,
      detail,
    ])
  }
  expect(await read(source.ctx)).toEqual([
    ['Ada', 'Contract', { tenant_id, to: '1', step: 'finished' }],
    ['Ada', 'Contract', { tenant_id, to: '1', step: 'started' }],
  ])
  expect(await read(target.ctx)).toEqual([
    ['Ada', 'Contract', { tenant_id, from: '0', to: '1', step: 'copied' }],
  ])
})

test('while it is moved a tenant is read-only, and nobody else notices', async () => {
  await using cells = await startTwoCells()
  const { source } = cells
  const tenant = await fillTenant(source)
  const other = await fillTenant(source)
  const seen: { step: MoveStep; statuses: Record<string, number | boolean>; message: string }[] = []
  const ask = async (step: MoveStep) => {
    const here = callAt(source, tenant)
    const created = await here.post('/v1/verifications', { template: 'age_over_18' })
    const wallet = await openWallet(source.ctx, source.address)
    const responses: Response[] = []
    await openWallet(source.ctx, source.address, { onResponse: (response) => responses.push(response) })
      .then((one) => one.respond(tenant.open.wallet_uri))
      .catch(() => {})
    const statuses = {
      create: created.status,
      response: responses.at(-1)?.status ?? 0,
      erase: (await here.delete(`/v1/verifications/${tenant.sent}`)).status,
      register: (await here.post('/v1/devices', { name: 'New', allowed_templates: ['own'] })).status,
      read: (await here.get(`/v1/verifications/${tenant.sent}`)).status,
      poll: (await here.get(`/v1/verifications/${tenant.open.id}/status`)).status,
      others: (await callAt(source, other).post('/v1/verifications', { template: 'own' })).status,
      othersRespond: (await wallet.respond(other.open.wallet_uri)).sent,
    }
    seen.push({
      step,
      statuses,
      message: `${created.headers.get('retry-after')} ${created.body.error?.message}`,
    })
  }
  let asking: Promise<void> | undefined
  await expect(
    cells.move(tenant.tenant_id, (step) => {
      if (step !== 'chained') return
      asking = ask(step)
      throw new Error('interrupted')
    }),
  ).rejects.toThrow('interrupted')
  await asking
  expect(seen).toEqual([
    {
      step: 'chained',
      statuses: {
        create: 503,
        response: 503,
        erase: 503,
        register: 503,
        read: 200,
        poll: 200,
        others: 201,
        othersRespond: true,
      },
      message: expect.stringMatching(/^2 This account is being moved/),
    },
  ])
})

const steps: readonly MoveStep[] = ['prepared', 'draining', 'drained', 'frozen', 'chained', 'copied', 'moved']
test(`a move that is interrupted after any of its ${steps.length} steps is continued, and can be aborted until the rows are copied`, async () => {
  await using cells = await startTwoCells()
  const { source, target } = cells
  const contexts = { source: source.ctx, target: target.ctx }
  for (const interrupted of steps) {
    const tenant = await source.tenant()
    const { tenant_id } = tenant
    const created = await tenant.post('/v1/verifications', { template: 'age_over_18' })
    const interrupt = () =>
      cells
        .move(tenant_id, (step) => {
          if (step === interrupted) throw new Error('interrupted')
        })
        .catch(String)
    expect(await interrupt()).toBe('Error: interrupted')
    const isCopied = interrupted === 'copied' || interrupted === 'moved'
    const aborted = await abortMove(contexts, tenant_id).then(() => 'aborted', String)
    expect(aborted).toMatch(
      isCopied ? / already/ : interrupted === 'prepared' ? /is not being moved/ : /^aborted/,
    )
    const after = await tenant.post('/v1/verifications', { template: 'age_over_18' })
    expect(after.status).toBe(isCopied ? 503 : 201)
    await interrupt()
    await cells.move(tenant_id)
    const there = callAt(target, tenant)
    expect((await there.get(`/v1/verifications/${created.body.id}`)).status).toBe(200)
    expect((await there.post('/v1/verifications', { template: 'age_over_18' })).status).toBe(201)
    expect((await tenant.post('/v1/verifications', { template: 'age_over_18' })).status).toBe(503)
  }
  expect(await verifyEverything(target.ctx)).toMatchObject({ valid: true, faults: [] })
})

test('[MOVE-2] a row that is lost on the way is noticed, and nothing is moved', async () => {
  await using cells = await startTwoCells()
  const { source, target } = cells
  const tenant = await fillTenant(source)
  await runSqlText(
    target.ctx.db,
    `create function lose_row() returns trigger language plpgsql as 'begin return null; end';
     create trigger lose_row before insert on webhook_events for each row when (new.endpoint_id = '') execute function lose_row()`,
  )
  await expect(cells.move(tenant.tenant_id)).rejects.toThrow(
    'The copy of webhook_events differs: 2 rows, 1 copied',
  )
  expect((await callAt(target, tenant).get('/v1/usage')).status).toBe(401)
})
