import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { databaseFaults } from './faults/database-faults.ts'
import { compareAcknowledged } from './load/compare-acknowledged.ts'
import { injectUnderLoad, type FaultRun } from './run-fault.ts'
import { startCluster, type Cluster } from './start-cluster.ts'

let cluster: Cluster
let run: FaultRun

beforeAll(async () => {
  cluster = await startCluster({ nodes: 2, works: 1 })
  const rates = { creations: 12, responses: 3, reads: 6, erasures: 2 }
  run = await injectUnderLoad(cluster, databaseFaults.primary_killed, { name: 'cluster', rounds: 1, rates })
  process.stderr.write(`${JSON.stringify(run.report)}\n`)
})
afterAll(() => cluster[Symbol.asyncDispose]())

test('[HA-1] after the primary was killed, everything that was acknowledged is stored and charged once', () => {
  expect(run.report.acknowledged).toBeGreaterThan(50)
  expect(run.report.contradictions).toMatchObject({
    lost: 0,
    pending: 0,
    created_twice: 0,
    charged_wrongly: 0,
    quota_wrong: 0,
    responses_lost: 0,
    resurrected: 0,
    readable_after_erasure: 0,
    sent_after_erasure: 0,
    webhooks_lost: 0,
  })
})

test('while the primary is killed, every response is correct or 503 with Retry-After, within 15 s, and no process exits', () => {
  expect(run.report.contradictions).toMatchObject({ wrong_responses: 0, slow_responses: 0, exits: 0 })
})

test('straight after the primary was killed, `admin audit verify` succeeds', () => {
  expect(run.report.contradictions).toMatchObject({ audit_failed: 0 })
})

test('the comparison detects each kind of contradiction', async () => {
  const { acknowledgements, tenant_id } = run
  const { created, responded, erasing, erased, received } = acknowledgements
  const compare = () => compareAcknowledged(cluster.ctx, tenant_id, acknowledgements)
  const none = await compare()
  const [first, second, third] = [...responded].filter((id) => !erasing.has(id))
  const [key = ''] = created.keys()
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('too few were answered')

  await cluster.ctx.db.execute(sql`delete from verification_sessions where id = ${first}`)
  await cluster.ctx.db.execute(sql`delete from verification_results where verification_id = ${first}`)
  expect(await compare()).toEqual({ ...none, lost: 1, responses_lost: 1, charged_wrongly: 1 })

  await cluster.ctx.db.execute(sql`update tenant_usage set used = used + 1 where tenant_id = ${tenant_id}`)
  expect(await compare()).toMatchObject({ charged_wrongly: 2 })

  received.delete(second)
  expect(await compare()).toMatchObject({ webhooks_lost: 1 })

  created.get(key)?.add('another id')
  acknowledgements.pending.add('a key')
  expect(await compare()).toMatchObject({ created_twice: 1, pending: 1 })

  erasing.add(third)
  erased.set(third, Date.now())
  expect(await compare()).toMatchObject({ resurrected: 1 })
})
