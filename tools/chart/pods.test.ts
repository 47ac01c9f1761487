import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { makeCertificate } from '../../apps/service/test/network/certificate.ts'
import {
  presentCertificate,
  startPostgresServer,
  type PostgresServer,
} from '../../apps/service/test/processes/postgres-server.ts'
import { freePort, startRedisServer } from '../../apps/service/test/processes/redis-server.ts'
import { runProgram } from '../../apps/service/test/processes/run-program.ts'
import { startProgram } from '../../apps/service/test/processes/start-program.ts'
import { newAccessCertificate } from '../../apps/service/test/trust/access-certificate.ts'
import { waitUntil } from '../../apps/service/test/wait-until.ts'
import { readManifests, type Manifest } from './chart.ts'

const manifests = readManifests(readFileSync('deploy/helm/rendered/postgresql.yaml', 'utf8'))

type Container = {
  args: string[]
  env: { name: string; value: string }[]
  ports: { name: string; containerPort: number }[]
} & Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', { httpGet: { path: string; port: string } }>

test('the program starts in production with the environment and the files of each pod, over TLS to the database, and passes its probes', async () => {
  await using postgres = await startPostgresServer()
  await using redis = await startRedisServer()
  const database_url = await switchOnTls(postgres)
  const access = newAccessCertificate()
  const contents: Record<string, string> = {
    DATABASE_URL: database_url.href,
    MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    REDIS_URL: redis.url,
    'access.key': access.key,
    'access.pem': access.chain,
    'database-ca.pem': readFileSync(join(postgres.folder, 'server.crt'), 'utf8'),
  }
  const migrate = await mountPod('migrate', contents)
  expect(await runProgram(migrate.container.args, migrate.environment)).toMatchObject({
    status: 0,
    stderr: '',
  })

  for (const component of ['serve', 'work']) {
    const { container, environment, ports } = await mountPod(component, contents)
    await using program = startProgram({ args: container.args, environment })
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
      const { path, port } = container[probe].httpGet
      const url = `http://127.0.0.1:${ports[port]}${path}`
      const isOk = () =>
        fetch(url).then(
          ({ ok }) => ok,
          () => false,
        )
      await waitUntil(
        async () => {
          if (program.child.exitCode !== null) throw new Error(`${component} ended:\n${program.output()}`)
          return isOk()
        },
        { within_ms: 60_000 },
      )
    }
    // A worker is ready before its loops have opened a connection.
    await waitUntil(async () => (await countConnections(postgres)).encrypted > 0)
    expect((await countConnections(postgres)).plain).toBe(0)
  }
})

/** What a pod of this component would see: its environment, with its paths and ports replaced by free ones of this machine. */
async function mountPod(component: string, contents: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-pod-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const workload = manifests.find(
    ({ kind, metadata }: Manifest) =>
      kind !== 'NetworkPolicy' && metadata.name === `vidimus-${component}` && kind !== 'PodDisruptionBudget',
  )
  const pod = workload?.spec.template.spec
  const container: Container = pod.containers[0]
  for (const { mountPath } of pod.containers[0].volumeMounts)
    mkdirSync(join(folder, mountPath), { recursive: true })
  const [{ projected }] = pod.volumes
  const items: { path: string }[] = projected.sources.flatMap(
    ({ secret }: { secret: { items: object[] } }) => secret.items,
  )
  for (const { path } of items) writeFileSync(join(folder, 'run/secrets/vidimus', path), contents[path] ?? '')
  const [http, metrics] = [await freePort(), await freePort()]
  const replaced: Record<string, string> = { PORT: String(http), METRICS_PORT: String(metrics) }
  const environment = Object.fromEntries(
    container.env.map(({ name, value }) => [name, replaced[name] ?? value.replace(/^\//, `${folder}/`)]),
  )
  return { container, environment, ports: { http, metrics } as Record<string, number> }
}

/** Gives the server a certificate for `localhost`, which is also its authority. */
async function switchOnTls(server: PostgresServer): Promise<URL> {
  await presentCertificate(server, await makeCertificate('localhost'))
  const named = new URL(server.url)
  named.hostname = 'localhost'
  return named
}

async function countConnections({ url }: PostgresServer): Promise<{ encrypted: number; plain: number }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(`
      select count(*) filter (where ssl)::int as encrypted, count(*) filter (where not ssl)::int as plain
        from pg_stat_ssl join pg_stat_activity using (pid)
       where backend_type = 'client backend' and pid <> pg_backend_pid()`)
    return rows[0]
  } finally {
    await client.end()
  }
}
