import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../apps/service/test/database/test-database.ts'
import { freePort } from '../../apps/service/test/processes/redis-server.ts'
import { waitUntil } from '../../apps/service/test/wait-until.ts'
import { buildImage, type BuiltImage } from './build-image.ts'

const run = promisify(execFile)
const resources = new AsyncDisposableStack()
const volumes = mkdtempSync(join(tmpdir(), 'vidimus-volumes-'))
let image: BuiltImage
let settings: Record<string, string>

beforeAll(async () => {
  resources.defer(() => rmSync(volumes, { recursive: true }))
  image = resources.use(await buildImage())
  const database = resources.use(await createTestDatabase({ empty: true }))
  // Others may pass through, and only the image's user reads what is in it.
  chmodSync(volumes, 0o755)
  for (const name of ['secrets', 'ledger', 'checkpoints']) mkdirSync(join(volumes, name))
  for (const name of ['ledger', 'checkpoints']) {
    // A new volume takes over the owner of the folder in the image.
    const { uid, gid } = statSync(join(image.root, name))
    chownSync(join(volumes, name), uid, gid)
  }
  const master_key = join(volumes, 'secrets/master-key')
  writeFileSync(master_key, Buffer.alloc(32, 7).toString('base64'), { mode: 0o400 })
  chownSync(master_key, 1000, 1000)
  const port = String(await freePort())
  settings = {
    DATABASE_URL: database.url,
    MASTER_KEY_FILE: '/run/secrets/master-key',
    ERASURE_LEDGER: '/ledger',
    AUDIT_CHECKPOINT_DIR: '/checkpoints',
    HOST: '127.0.0.1',
    PORT: port,
    METRICS_PORT: String(await freePort()),
    BASE_URL: `http://127.0.0.1:${port}`,
    NODE_ENV: 'test',
  }
}, 900_000)
// A disk that others use deletes its many files slowly.
afterAll(() => resources.disposeAsync(), 300_000)

test('what runs in the image is user 1000 and can write to /tmp and its volumes only', async () => {
  const { config } = image
  expect(config.User).toBe('1000:1000')
  const script = `id -u; id -G; for folder in / /vidimus /usr/local/bin /run/secrets /etc /tmp /ledger /checkpoints; do touch $folder/new 2> /dev/null && echo $folder && rm $folder/new; done; true`
  expect(await runInside(['/bin/sh', '-c', script])).toBe('1000\n1000\n/tmp\n/ledger\n/checkpoints\n')
  const owned = await run('find', [
    join(image.root, 'vidimus'),
    '(',
    '-user',
    '1000',
    '-o',
    '-perm',
    '/022',
    ')',
    '!',
    '-type',
    'l',
  ])
  expect(owned.stdout).toBe('')
})

test(
  'the image migrates, serves, works and verifies with a read-only root, and stops when it is told to',
  { timeout: 240_000 },
  async () => {
    const { config } = image
    expect(await vidimus('migrate')).toContain('applied 0001')
    const serve = start(config.Cmd)
    const work = start(['work'], { METRICS_PORT: String(await freePort()) })
    // The health check of the image itself.
    const [kind, ...check] = config.Healthcheck.Test
    expect(kind).toBe('CMD')
    await waitUntil(
      () =>
        runInside(check).then(
          () => true,
          () => false,
        ),
      { within_ms: 90_000, every_ms: 1000 },
    )
    const { tenant_id } = JSON.parse(await vidimus('admin', 'tenant', 'create', '--name', 'Canary', '--json'))
    const scopes = 'verifications:create,verifications:read,verifications:delete'
    const { key } = JSON.parse(
      await vidimus(
        'admin',
        'key',
        'create',
        '--tenant',
        tenant_id,
        '--env',
        'test',
        '--scopes',
        scopes,
        '--json',
      ),
    )
    const environment = { VIDIMUS_URL: settings['BASE_URL'] ?? '', VIDIMUS_KEY: key }
    expect(await runInside([...config.Entrypoint, 'admin', 'canary'], environment)).toContain(
      'All 21 steps passed',
    )
    // The erasures of the canary are in the volume.
    expect(
      execFileSync('find', [join(volumes, 'ledger'), '-type', 'f', '-size', '+0'], { encoding: 'utf8' }),
    ).not.toBe('')

    for (const child of [serve, work]) child.kill('SIGTERM')
    expect(await Promise.all([serve, work].map(exitStatus))).toEqual([0, 0])
  },
)

function toArguments(command: readonly string[], more: Record<string, string> = {}): string[] {
  const { User, WorkingDir, Env } = image.config
  const variables = Object.entries({ ...settings, ...more }).map(([name, value]) => `${name}=${value}`)
  return [image.root, volumes, User, WorkingDir, ...Env, ...variables, ...command]
}

const script = join(import.meta.dirname, 'run-image.sh')

async function runInside(command: readonly string[], more?: Record<string, string>): Promise<string> {
  return (await run(script, toArguments(command, more), { timeout: 90_000 })).stdout
}

const vidimus = (...args: string[]) => runInside([...image.config.Entrypoint, ...args])

function start(args: readonly string[], more?: Record<string, string>): ChildProcess {
  const command = toArguments([...image.config.Entrypoint, ...args], more)
  const child = spawn(script, command, { stdio: 'ignore' })
  resources.defer(() => void child.kill('SIGKILL'))
  return child
}

async function exitStatus(child: ChildProcess): Promise<number | string | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode ?? child.signalCode
}
