import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, afterAll, expect, onTestFinished, test } from 'vitest'
import { reply, startReceiver } from '../network/receiver.ts'
import { startPrometheus, type PrometheusServer } from '../processes/prometheus.ts'
import { startProcesses } from '../processes/processes.ts'
import { freePort, startRedisServer } from '../processes/redis-server.ts'
import { startProgram } from '../processes/start-program.ts'
import { testEnvironment, type Merchant } from '../service.ts'
import { joinPem, newAuthority } from '../trust/authorities.ts'
import { listType, newListOperator, pidIssuance, writeTrustList } from '../trust/trust-list.ts'
import { waitUntil } from '../wait-until.ts'
import { openWallet } from '../wallet.ts'

const promtool = promisify(execFile)
const deploy = new URL('../../../../deploy/', import.meta.url).pathname
const alerts = readFileSync(join(deploy, 'alerts.yaml'), 'utf8')
const cases = readFileSync(join(deploy, 'alerts.test.yaml'), 'utf8')
const alertNames = [...alerts.matchAll(/^ {6}- alert: (\w+)$/gm)].map(([, name = '']) => name)

/** Queries of the dashboard that are empty in this run, each with its reason. Every other one must return data. */
const emptyQueries = new Map([
  ['Server errors by route', 'no request failed'],
  ['Loops overdue', 'every loop is in time'],
  ['Processes of supervisors', 'this `serve` is one process without a supervisor'],
  ['Anchors of trust lists: stale', 'the list is fresh'],
])

let prometheus: PrometheusServer
const opened = new AsyncDisposableStack()

beforeAll(async () => {
  const folder = temporaryFolder((path) => opened.defer(() => rmSync(path, { recursive: true })))
  const redis = opened.use(await startRedisServer())
  const receiver = opened.use(await startReceiver(reply(200)))
  const metrics_port = String(await freePort())
  const environment = {
    REDIS_URL: redis.url,
    RATE_LIMITS: 'key=40/60,ip=6000/60,session=600/60',
    ERASURE_LEDGER: folder,
    WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8',
    TRUST_LISTS_FILE: await publishTrustList(),
  }
  const service = opened.use(await startProcesses(1, { environment }))
  const workEnvironment = testEnvironment(service.database_url, {
    ...environment,
    METRICS_PORT: metrics_port,
  })
  const work = opened.use(startProgram({ args: ['work'], environment: workEnvironment }))
  await waitUntil(() => work.output().includes('Vidimus worker is running.'), { within_ms: 60_000 })
  const serveTarget =
    /"metrics_address":"http:\/\/([^"]+)"/.exec(service.processes[0]?.log() ?? '')?.[1] ?? ''
  const jobs = opened.use(await startReceiver(reply(200, { 'content-type': 'text/plain' }, recordJobs())))
  const targets = [serveTarget, `127.0.0.1:${metrics_port}`, `127.0.0.1:${jobs.port}`]
  prometheus = opened.use(await startPrometheus(targets, [join(deploy, 'alerts.yaml')]))
  await waitUntil(async () => (await prometheus.query('up == 1')).length === 3, { within_ms: 60_000 })
  const merchant = await service.tenant()
  const wallet = await openWallet(service.ctx, service.processes[0]?.address ?? '')
  const attempts = 'vidimus_webhook_attempt_duration_seconds_count{outcome="delivered"}'
  // A rate needs an event after a series was first scraped.
  for (const seen of [`${attempts} > 0`, `rate(${attempts}[5m]) > 0`]) {
    const webhook = { template: 'age_over_18', webhook_url: receiver.url }
    const { body } = await merchant.post('/v1/verifications', webhook)
    await wallet.respond(body.wallet_uri)
    await waitUntil(async () => (await prometheus.query(seen)).length > 0, { within_ms: 60_000 })
  }
  await eraseAndReachLimit(merchant)
  const trusted = 'count(vidimus_trust_list_anchors > 0) == 2'
  await waitUntil(async () => (await prometheus.query(trusted)).length > 0, { within_ms: 60_000 })
}, 300_000)
afterAll(() => opened.disposeAsync())

test('promtool accepts the alert rules, and every alert fires when it should and not otherwise', async () => {
  expect((await promtool('promtool', ['check', 'rules', join(deploy, 'alerts.yaml')])).stdout).toContain(
    `SUCCESS: ${alertNames.length} rules found`,
  )
  expect((await testRules(alerts)).failures).toBe('')

  expect(alertNames.length).toBeGreaterThan(12)
  const expected = [...cases.matchAll(/alertname="(\w+)".*\n.*\n {8}exp_samples: \[(.*)\]/g)]
  const lacking = alertNames.flatMap((alert) =>
    [true, false]
      .filter((fires) => !expected.some(([, name, samples]) => name === alert && (samples !== '') === fires))
      .map((fires) => `${alert} has no case in which it ${fires ? 'fires' : 'stays quiet'}`),
  )
  expect(lacking).toEqual([])
})

test('the cases find a wrong metric, label, threshold and aggregation', async () => {
  const mistakes = [
    ['WebhooksBehind', 'max(vidimus_webhook_lag_seconds)', 'max(vidimus_webhook_delay_seconds)'],
    ['MailsFailing', 'outcome=~"refused|failed"', 'result=~"refused|failed"'],
    ['AuditBehind', 'vidimus_audit_lag_seconds) > 10', 'vidimus_audit_lag_seconds) > 10000'],
    ['WorkerLoopLate', 'min by (loop)', 'max by (loop)'],
    ['AccessCertificateEndsSoon', '_timestamp_seconds > 0)', '_timestamp_seconds)'],
  ] as const
  for (const [, text] of mistakes) expect(alerts.split(text)).toHaveLength(2)
  const wrong = mistakes.reduce((rules, [, text, replacement]) => rules.replace(text, replacement), alerts)
  const { failures } = await testRules(wrong)
  const found = alertNames.filter((name) => failures.includes(`alertname=\\"${name}\\"`))
  expect(found.toSorted()).toEqual(mistakes.map(([name]) => name).toSorted())
})

test('every page that an alert names exists', () => {
  const pages = [...alerts.matchAll(/\bdocs\/[\w/-]+\.md/g)].map(([page]) => page)
  expect(pages.length).toBeGreaterThan(10)
  expect(pages.filter((page) => !existsSync(join(deploy, '..', page)))).toEqual([])
})

test('Prometheus evaluates every alert against a running service, and every series in it exists', async () => {
  await waitUntil(async () => (await prometheus.rules()).every(({ health }) => health !== 'unknown'))
  const rules = await prometheus.rules()
  expect(rules.map(({ name }) => name)).toEqual(alertNames)
  expect(
    rules.filter(({ health }) => health !== 'ok').map(({ name, lastError }) => [name, lastError]),
  ).toEqual([])
  // Nor is one waiting for its time: nothing is wrong with this service.
  expect((await prometheus.query('ALERTS')).map(({ metric }) => metric['alertname'])).toEqual([])

  const problems = await Promise.all(rules.map(({ name, query }) => findProblems(name, query)))
  expect(problems.flat()).toEqual([])
})

test('a rule with an unknown metric, label or value is found', async () => {
  const planted = [
    'max(vidimus_webhook_delay_seconds) > 60',
    'min by (task) (vidimus_worker_loop_overdue_seconds) > 60',
    'sum(rate(http_server_request_duration_seconds_count{status="500"}[5m])) > 0',
    'sum(increase(vidimus_mails_total{outcome="bounced"}[1h])) > 0',
  ]
  const problems = await Promise.all(planted.map((query, at) => findProblems(String(at), query)))
  expect(problems.map(({ length }) => length)).toEqual([1, 1, 1, 1])
})

test('every query of the Grafana dashboard returns data from a running service', async () => {
  const { panels } = JSON.parse(readFileSync(join(deploy, 'grafana-dashboard.json'), 'utf8'))
  const queries = panels.flatMap(({ title, targets = [] }: Panel) =>
    targets.map(({ expr, legendFormat }) => ({ title, expr, legendFormat })),
  )
  expect(queries.length).toBeGreaterThan(40)
  const problems = await Promise.all(
    queries.map(async ({ title, expr, legendFormat }: PanelQuery) => {
      const results = (await prometheus.query(expr)).filter(({ value: [, number] }) => number !== 'NaN')
      const labels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
      const unlabelled = results.filter(({ metric }) => labels.some((label) => metric[label] === undefined))
      const isEmpty = emptyQueries.has(title) || emptyQueries.has(`${title}: ${legendFormat.split(':')[0]}`)
      return [
        ...(results.length === 0 && !isEmpty ? [`${title}: no data from ${expr}`] : []),
        ...(unlabelled.length > 0 ? [`${title}: no label for ${legendFormat}`] : []),
        ...(await findProblems(title, expr)),
      ]
    }),
  )
  expect(problems.flat()).toEqual([])
})

/** What the node exporter shows after every job of systemd succeeded, written by the shipped script into another folder. */
function recordJobs(): string {
  const folder = temporaryFolder((path) => opened.defer(() => rmSync(path, { recursive: true })))
  const script = readFileSync(join(deploy, 'debian/record-result'), 'utf8').replace(
    '/var/lib/prometheus/node-exporter',
    folder,
  )
  const tasks = ['canary', 'audit_verify', 'backup_full', 'backup_incr', 'backup_test']
  for (const task of tasks)
    execFileSync('sh', ['-c', script, 'record-result', task], {
      env: { ...process.env, SERVICE_RESULT: 'success' },
    })
  return tasks.map((task) => readFileSync(join(folder, `vidimus_${task}.prom`), 'utf8')).join('')
}

type PanelQuery = { title: string; expr: string; legendFormat: string }
type Panel = { title: string; targets?: { expr: string; legendFormat: string }[] }

/** Names each selector of a query that matches no series, and each label to group by that its series lack. */
async function findProblems(name: string, query: string): Promise<string[]> {
  const selectors = [
    ...query.matchAll(/\b(?:http_server|db_client|vidimus|process|nodejs)_\w+(?:\{[^}]*\})?/g),
  ].map(([text]) => text)
  if (selectors.length === 0) return [`${name}: no metric in ${query}`]
  const absent = await Promise.all(
    selectors.map(async (selector) => {
      // A negative matcher also holds for a label that does not exist, and a status need not have occurred.
      const matchers = (/\{(.*)\}/.exec(selector)?.[1] ?? '').split(',').filter((text) => text !== '')
      const labels = matchers.map((matcher) => /^\w+/.exec(matcher)?.[0] ?? '')
      const series = selector.replace(/\{.*\}/, '')
      const known = `${series}{${labels.map((label) => `${label}!=""`).join(',')}}`
      const isStatus = labels.every((label) => label.startsWith('http_'))
      return (await prometheus.query(isStatus ? known : selector)).length === 0
        ? [`${name}: no series ${selector}`]
        : []
    }),
  )
  const groups = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/,\s*/))
  const ungrouped = await Promise.all(
    groups.map(async (label) => {
      const found = await Promise.all(
        selectors.map((selector) => prometheus.query(`${selector.replace(/\{.*\}/, '')}{${label}!=""}`)),
      )
      return found.every((series) => series.length === 0) ? [`${name}: no label ${label}`] : []
    }),
  )
  return absent.flat().length > 0 ? absent.flat() : ungrouped.flat()
}

/** Runs the cases of deploy/alerts.test.yaml against these rules, and returns what promtool says of those that failed. */
async function testRules(rules: string): Promise<{ failures: string }> {
  const folder = temporaryFolder((path) => onTestFinished(() => rmSync(path, { recursive: true })))
  writeFileSync(join(folder, 'alerts.yaml'), rules)
  writeFileSync(join(folder, 'alerts.test.yaml'), cases)
  return promtool('promtool', ['test', 'rules', join(folder, 'alerts.test.yaml')]).then(
    () => ({ failures: '' }),
    ({ stderr, stdout }: { stderr: string; stdout: string }) => {
      const output = `${stdout}${stderr}`
      // Any other failure, such as a missing program, is not a failed case.
      if (!output.includes('FAILED')) throw new Error(`promtool did not run the cases: ${output}`)
      return { failures: output }
    },
  )
}

async function eraseAndReachLimit(merchant: Merchant): Promise<void> {
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  expect((await merchant.delete(`/v1/verifications/${body.id}`)).status).toBe(200)
  const usage = Array.from({ length: 60 }, async () => (await merchant.get('/v1/usage')).status)
  expect(new Set(await Promise.all(usage))).toEqual(new Set([200, 429]))
}

/** Publishes a trust list and returns the file that configures it. */
async function publishTrustList(): Promise<string> {
  const operator = newListOperator('List Operator')
  const issued_at = Date.now() / 1000
  const services = { [pidIssuance]: [newAuthority('Issuers').certificate] }
  const list = writeTrustList(operator, {
    sequence_number: 1,
    issued_at,
    next_update: issued_at + 864_000,
    services,
  })
  const server = opened.use(await startReceiver(reply(200, { 'content-type': 'application/jose' }, list)))
  const file = join(
    temporaryFolder((path) => opened.defer(() => rmSync(path, { recursive: true }))),
    'lists.json',
  )
  const settings = {
    url: server.url,
    environment: 'test',
    type: listType,
    services: [{ service_type: pidIssuance, document_types: ['urn:eudi:pid:1'] }],
    signers: joinPem(operator.authority.certificate),
  }
  writeFileSync(file, JSON.stringify([settings]))
  return file
}

function temporaryFolder(remove: (path: string) => void): string {
  const path = mkdtempSync(join(tmpdir(), 'vidimus-alerts-'))
  remove(path)
  return path
}
