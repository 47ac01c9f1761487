import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportAnchors, toPem } from '@vidimus/sandbox'
import { expect, test } from 'vitest'
import { startCollector, type ReceivedSpan } from '../../../../test/network/collector.ts'
import { reply, startReceiver } from '../../../../test/network/receiver.ts'
import { startService } from '../../../../test/service.ts'
import { joinPem, newAuthority } from '../../../../test/trust/authorities.ts'
import { queries } from '../../../../test/trust/presentation.ts'
import { startStatusIssuer } from '../../../../test/trust/status-issuer.ts'
import { listType, newListOperator, pidIssuance, writeTrustList } from '../../../../test/trust/trust-list.ts'
import { waitUntil } from '../../../../test/wait-until.ts'
import { openWallet } from '../../../../test/wallet.ts'
import { refreshDueLists } from '../../../trust/lists/refresh.ts'
import { addTenantAnchors } from '../../../trust/tenant/change-anchors.ts'
import { runWorker } from '../../../program/worker.ts'

const clientKind = 3

/** The names from the first span of a trace down to this one. */
function pathTo(spans: readonly ReceivedSpan[], span: ReceivedSpan): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [...(parent === undefined ? [] : pathTo(spans, parent)), span.name]
}

const fetched = (attributes: object) => ({
  kind: clientKind,
  attributes: { 'http.request.method': 'GET', 'server.address': '127.0.0.1', ...attributes },
})

/** The outbound requests of a wallet response whose credential names lists at an issuer that behaves in some way. */
async function traceStatusFetches(behaviour?: ReturnType<typeof reply>) {
  await using collector = await startCollector()
  await using issuer = await startStatusIssuer({ host: '127.0.0.1' })
  issuer.setBehaviour(behaviour)
  {
    await using service = await startService({
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, WEBHOOK_EGRESS_ALLOW: '127.0.0.1/32' },
    })
    const merchant = await service.tenant()
    const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
    const pem = exportAnchors(issuer.issuer).map(({ certificate }) => toPem(certificate))
    await addTenantAnchors(service.ctx, { by, environment: 'test', pem: pem.join('\n') })
    const { body: created } = await merchant.post('/v1/verifications', { query: queries.pid })
    const wallet = await openWallet(service.ctx, service.address, {
      format: 'dc+sd-jwt',
      issuer: issuer.issuer,
    })
    await wallet.respond(created.wallet_uri)
  }
  const requested = issuer.receiver.received.map(({ line }) => line.split(' ')[1])
  return { ...collector, requested, fetches: collector.spans.filter(({ name }) => name === 'GET') }
}

test('[TRACE-2] the fetch of a status list is a span of the verification that needs it', async () => {
  const { spans, fetches, requested, bodies } = await traceStatusFetches()

  expect(requested).toEqual(['/status/persons/current.jwt'])
  expect(fetches).toMatchObject([fetched({ 'http.response.status_code': 200 })])
  expect(fetches.map((span) => pathTo(spans, span))).toEqual([
    ['POST /v1/verifications', 'POST /wallet/response/:sessionId', 'verify response', 'GET'],
  ])
  expect(bodies.join('')).not.toContain('current.jwt')
})

test('a status list that the issuer refuses is a failed span with its status', async () => {
  const { fetches } = await traceStatusFetches(reply(503))

  expect(fetches.length).toBeGreaterThan(0)
  for (const span of fetches)
    expect(span).toMatchObject({
      ...fetched({ 'http.response.status_code': 503, 'error.type': '503' }),
      status: { code: 2 },
    })
})

test('the fetch of a trust list is a span of the round that refreshes it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-traced-'))
  await using collector = await startCollector()
  const operator = newListOperator('List Operator')
  const now = Math.floor(Date.now() / 1000)
  const list = {
    sequence_number: 1,
    issued_at: now,
    next_update: now + 86_400,
    services: { [pidIssuance]: [newAuthority('Root').certificate] },
  }
  await using server = await startReceiver(
    reply(200, { 'content-type': 'application/jose' }, writeTrustList(operator, list)),
  )
  const file = join(folder, 'lists.json')
  const signers = joinPem(operator.authority.certificate)
  const settings = { url: `${server.url}/a-path`, environment: 'test', type: listType, signers }
  writeFileSync(file, JSON.stringify([{ ...settings, services: [{ service_type: pidIssuance }] }]))
  {
    await using service = await startService({
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        WEBHOOK_EGRESS_ALLOW: '127.0.0.1/32',
        TRUST_LISTS_FILE: file,
      },
    })
    const stop = new AbortController()
    const loop = { name: 'trust lists', interval_ms: 600_000, run: refreshDueLists }
    const working = runWorker(service.ctx, stop.signal, { loops: [loop] })
    await waitUntil(() => server.received.length > 0)
    stop.abort()
    await working
  }
  rmSync(folder, { recursive: true })

  const fetches = collector.spans.filter(({ name }) => name === 'GET')
  expect(fetches).toMatchObject([fetched({ 'http.response.status_code': 200 })])
  expect(fetches.map((span) => pathTo(collector.spans, span))).toEqual([['loop trust lists', 'GET']])
  expect(collector.bodies.join('')).not.toContain('a-path')
})
