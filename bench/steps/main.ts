import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { loadavg } from 'node:os'
import { countToday } from '../../apps/service/src/verifications/figures/count-past-days.ts'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { startProcesses, type ServiceProcesses } from '../../apps/service/test/processes/processes.ts'
import { signIn } from '../../apps/service/test/sign-in/browser.ts'
import { waitUntil } from '../../apps/service/test/wait-until.ts'
import { median } from '../figure.ts'
import { measureUsage } from '../cost/observe.ts'
import { startOwnServers } from '../cost/servers.ts'

const program = fileURLToPath(new URL('./serve.ts', import.meta.url))
const verificationsToday = 100_000
const maxMetadata = 'x'.repeat(8000)
const warmUp = 5

type HttpCall = { method?: 'POST'; path: string; headers: Record<string, string>; body?: string }

/** What is sent, how often, and the status that is expected. */
type Step = { name: string; count: number; status: number; call: (index: number) => HttpCall }

/**
 * `npm run bench -- steps [name…]`: what a single request of the expensive kinds costs the service, its event loop and PostgreSQL, and
 * the longest turn of the event loop that it causes, which is what every other request has to wait. One request is in flight.
 */
export async function reportSteps(names: readonly string[]): Promise<void> {
  await using servers = await startOwnServers()
  const environment = {
    REDIS_URL: servers.redis.url,
    RATE_LIMITS: 'key=9999999/60,ip=9999999/60,session=9999999/60',
    METRICS_PORT: 'off',
    LOG_LEVEL: 'error',
  }
  await using service = await startProcesses(1, { environment, run: program })
  const [{ address, child, log } = { address: '', child: undefined, log: () => '' }] = service.processes
  const client = new Pool(address, { connections: 1, bodyTimeout: 120_000, headersTimeout: 120_000 })
  const database = new URL(service.database_url).pathname.slice(1)
  const steps = (await listSteps(service, address)).filter(
    ({ name }) => names.length === 0 || names.some((prefix) => name.startsWith(prefix)),
  )
  process.stdout.write(`load of the machine: ${loadavg()[0]?.toFixed(1)}\n`)
  process.stdout.write(
    '| request | service ms | event loop ms | PostgreSQL ms | longest step ms, lowest / median |\n|---|---|---|---|---|\n',
  )
  for (const { name, count, status, call } of steps) {
    const send = async (index: number) => {
      const { method = 'GET', ...rest } = call(index)
      const { statusCode, body } = await client.request({ method, ...rest })
      const text = await body.text()
      if (statusCode !== status) throw new Error(`${name}: ${statusCode} ${text.slice(0, 200)}`)
    }
    for (let index = 0; index < Math.min(warmUp, count); index += 1) await send(index)
    const usage = await measureUsage(servers, { node: child?.pid, database }, async () => {
      for (let index = 0; index < count; index += 1) await send(index)
    })
    const longest: number[] = []
    for (let index = 0; index < count; index += 1) longest.push(await measureStep(() => send(index)))
    const per = (us: number) => (us / count / 1000).toFixed(2)
    const cells = [
      name,
      per(usage.main + usage.threads + usage.runtime),
      per(usage.main),
      per(usage.postgres),
      `${Math.min(...longest).toFixed(2)} / ${median(longest).toFixed(2)}`,
    ]
    process.stdout.write(`| ${cells.join(' | ')} |\n`)
  }
  await client.close()

  async function measureStep(work: () => Promise<void>): Promise<number> {
    const toggle = async (line: RegExp) => {
      const from = log().length
      child?.kill('SIGUSR2')
      await waitUntil(() => line.test(log().slice(from)), { within_ms: 10_000 })
      return line.exec(log().slice(from))?.[1]
    }
    await toggle(/measuring steps/)
    await work()
    return Number(await toggle(/longest step: ([\d.]+)\n/))
  }
}

async function listSteps(service: ServiceProcesses, address: string): Promise<Step[]> {
  const { db } = service.ctx
  const large = await service.tenant({ daily_quota: 1_000_000 })
  const wordy = await service.tenant({ daily_quota: 1_000_000 })
  const member = await signIn({ ctx: service.ctx, address }, large)
  for (let index = 0; index < 100; index += 1)
    await wordy.post('/v1/verifications', { template: 'age_over_18', metadata: { a: maxMetadata } })
  const open = (await large.post('/v1/verifications', { template: 'age_over_18', ttl_seconds: 3600 })).body.id
  await insertVerifications(service, large.tenant_id)
  await countToday(service.ctx)
  await db.execute(sql`analyze`)
  const creation = { method: 'POST', path: '/v1/verifications', headers: bearer(large.key) } as const
  const asMember = { cookie: member.cookie(), 'sec-fetch-site': 'same-origin' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const get =
    (path: string, headers: Record<string, string> = {}) =>
    () => ({ path, headers })
  const dashboard = (path: string) => get(`/dashboard/api/${path}`, asMember)
  const garbage = `response=${Buffer.alloc(1_400_000, 7).toString('base64url')}`
  const post = (path: string, body: string, headers: Record<string, string>) => () => ({
    method: 'POST' as const,
    path,
    headers,
    body,
  })
  const query = { credentials: [{ id: 'c', format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] } }] }
  const manyValues = JSON.stringify({
    query: { ...query, x: Array.from({ length: 9000 }, (_, n) => `value ${n}`) },
  })
  const long = JSON.stringify({ query: { ...query, x: 'x'.repeat(250_000) } })
  return [
    {
      name: 'create',
      count: 60,
      status: 201,
      call: () => ({ ...creation, body: '{"template":"age_over_18"}' }),
    },
    { name: 'holder_page', count: 60, status: 200, call: get(`/verify/${open}`) },
    { name: 'holder_verification', count: 60, status: 200, call: get(`/verify/${open}/session`) },
    {
      name: 'list_large',
      count: 20,
      status: 200,
      call: get('/v1/verifications?limit=100', bearer(wordy.key)),
    },
    {
      name: 'list_small',
      count: 20,
      status: 200,
      call: get('/v1/verifications?limit=100', bearer(large.key)),
    },
    { name: 'figures', count: 10, status: 200, call: dashboard('test/figures') },
    { name: 'figures_90', count: 10, status: 200, call: dashboard('test/figures?days=90') },
    { name: 'overview', count: 20, status: 200, call: dashboard('test/overview') },
    { name: 'search_miss', count: 20, status: 200, call: dashboard('test/search?text=zzzzzz') },
    {
      name: 'dashboard_list_miss',
      count: 20,
      status: 200,
      call: dashboard('test/verifications?limit=100&error_code=none'),
    },
    { name: 'csv', count: 6, status: 200, call: dashboard('test/verifications.csv') },
    { name: 'audit_csv', count: 1, status: 200, call: dashboard('audit.csv') },
    { name: 'audit_export', count: 4, status: 200, call: dashboard('audit/export') },
    { name: 'scalar', count: 20, status: 200, call: get('/docs/scalar.js') },
    { name: 'scalar_br', count: 20, status: 200, call: get('/docs/scalar.js', { 'accept-encoding': 'br' }) },
    { name: 'guide', count: 20, status: 200, call: get('/docs/reference/faults') },
    {
      name: 'garbage_response',
      count: 20,
      status: 400,
      call: post(`/wallet/response/${open}`, garbage, form),
    },
    {
      name: 'garbage_dc',
      count: 20,
      status: 400,
      call: post(`/wallet/dc/${open}`, `protocol=org-iso-mdoc&${garbage}`, {
        ...form,
        origin: new URL(service.ctx.config.BASE_URL).origin,
      }),
    },
    {
      name: 'garbage_escaped',
      count: 20,
      status: 400,
      call: post(`/wallet/response/${open}`, `response=${'%41'.repeat(650_000)}`, form),
    },
    { name: 'garbage_unknown', count: 20, status: 404, call: post('/wallet/response/nobody', garbage, form) },
    {
      name: 'json_many_values',
      count: 20,
      status: 400,
      call: post('/v1/verifications', manyValues, bearer(large.key)),
    },
    { name: 'json_long', count: 20, status: 400, call: post('/v1/verifications', long, bearer(large.key)) },
  ]
}

/** A day of a large tenant, whose verifications ended. */
async function insertVerifications({ ctx: { db } }: ServiceProcesses, tenant_id: string): Promise<void> {
  await db.execute(sql`
    insert into verification_sessions
      (day, id, tenant_id, environment, status, template, metadata, certificate, created_at, expires_at, responded_at)
    select service_day(), 'vs_0' || lpad(number::text, 30, 'x'), ${tenant_id}, 'test',
      case when number % 3 = 0 then 'pending' else 'completed' end, 'template_' || number % 20,
      jsonb_build_object('order', 'A-' || number), decode('00', 'hex'), at, at + interval '5 minutes',
      case when number % 3 > 0 then at + make_interval(secs => number % 100) end
    from generate_series(1, ${verificationsToday}::integer) as number
    cross join lateral (select service_now() - interval '10 minutes' - number * interval '20 milliseconds') as made (at)`)
  await db.execute(sql`update tenant_usage set used = ${verificationsToday} where tenant_id = ${tenant_id}`)
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
}
