import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { exportAnchors } from '@vidimus/sandbox'
import { afterAll, expect, test } from 'vitest'
import { newAuthority, joinPem } from '../../test/trust/authorities.ts'
import { setClockOffset } from '../../test/database/clock.ts'
import { startNameServer } from '../../test/network/name-server.ts'
import { presentAndVerify, queries } from '../../test/trust/presentation.ts'
import { reply, startReceiver } from '../../test/network/receiver.ts'
import { startService } from '../../test/service.ts'
import { startStatusIssuer } from '../../test/trust/status-issuer.ts'
import { readClock } from '../../test/database/stores.ts'
import { listType, newListOperator, pidIssuance, writeTrustList } from '../../test/trust/trust-list.ts'
import { runWorker } from '../program/worker.ts'
import { addAnchors } from './anchors/add-anchor.ts'

const folder = mkdtempSync(join(tmpdir(), 'vidimus-trust-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('[TRUST-3] the worker refreshes the lists of TRUST_LISTS_FILE, and the metrics show when one is stale', async () => {
  const operator = newListOperator('List Operator')
  const now = Date.now() / 1000
  const root = newAuthority('Root').certificate
  const list = {
    sequence_number: 1,
    issued_at: now,
    next_update: now + 86_400,
    services: { [pidIssuance]: [root] },
  }
  await using server = await startReceiver(reply(200, {}, writeTrustList(operator, list)))
  const file = join(folder, 'lists.json')
  const settings = {
    url: server.url,
    environment: 'test',
    type: listType,
    services: [{ service_type: pidIssuance }],
  }
  writeFileSync(file, JSON.stringify([{ ...settings, signers: joinPem(operator.authority.certificate) }]))
  await using service = await startService({
    environment: { TRUST_LISTS_FILE: file, WEBHOOK_EGRESS_ALLOW: '127.0.0.1/32' },
  })
  const trusted = async () => {
    const { anchors } = await service.ctx.trust.snapshot('test')
    return anchors.some(({ certificate }) => Buffer.from(certificate).equals(root))
  }
  const metric = async (name: string) => {
    await service.ctx.trust.updateListMetrics()
    const text = await (await fetch(`${service.metrics_address}/metrics`)).text()
    const labels = `{environment="test",list="${server.url}"}`
    return text
      .split('\n')
      .find((line) => line.startsWith(name + labels))
      ?.split(' ')
      .at(-1)
  }
  expect(await trusted()).toBe(false)

  const stop = new AbortController()
  const working = runWorker(service.ctx, stop.signal)
  await expect.poll(trusted, { timeout: 5000 }).toBe(true)
  stop.abort()
  await working

  expect(await metric('vidimus_trust_list_stale')).toBe('0')
  expect(await metric('vidimus_trust_list_anchors')).toBe('1')
  expect(Number(await metric('vidimus_trust_list_trusted_until_timestamp_seconds'))).toBe(
    Math.floor(now) + 86_400,
  )
  await setClockOffset(service.ctx.db, '4 hours')
  expect(await metric('vidimus_trust_list_stale')).toBe('1')
  await pass(1100)
  expect(await trusted()).toBe(true)

  await setClockOffset(service.ctx.db, '25 hours')
  expect(await metric('vidimus_trust_list_anchors')).toBe('0')
  await pass(1100)
  expect(await trusted()).toBe(false)
})

test('a mistake in TRUST_LISTS_FILE is reported when the service starts', async () => {
  const file = join(folder, 'wrong.json')
  writeFileSync(file, '[{}]')
  await expect(startService({ environment: { TRUST_LISTS_FILE: file } })).rejects.toThrow('0.url')
})

test('[TRUST-4] addresses that an operator allows for webhooks are allowed for status lists in test, and not in live', async () => {
  await using issuer = await startStatusIssuer()
  await using nameServer = await startNameServer({ 'lists.test': ['127.0.0.1'] })
  await using service = await startService({
    environment: { WEBHOOK_EGRESS_ALLOW: '127.0.0.1/32', DNS_SERVERS: nameServer.address },
  })
  const { trust, db } = service.ctx
  const pem = joinPem(...exportAnchors(issuer.issuer).map(({ certificate }) => certificate))
  await addAnchors(service.ctx, { environment: 'test', pem })
  await addAnchors(service.ctx, { environment: 'live', pem })
  const now = await readClock(db)
  const present = async (environment: 'test' | 'live') => {
    const { anchors } = await trust.snapshot(environment)
    const lookUpStatus = async (uri: string) =>
      (await trust.lookUpStatus({ tenant_id: 'one', environment, uri, now }))?.token
    const presented = { issuer: issuer.issuer, query: queries.pid, now }
    return presentAndVerify(presented, { anchors, lookUpStatus, status_unavailable: 'fail' })
  }

  expect(await present('live')).toMatchObject({ status: 'failed' })
  expect(issuer.receiver.connections).toBe(0)
  expect(await present('test')).toMatchObject({ status: 'completed' })
  const text = await (await fetch(`${service.metrics_address}/metrics`)).text()
  expect(text).toContain('vidimus_status_list_lookups_total{found="nowhere"} 1')
  expect(text).toContain('vidimus_status_list_lookups_total{found="issuer"} 1')
})
