import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs a command of a release and returns what it prints. `main` is the file of its program. */
export async function runRelease(
  main: string,
  args: string[],
  environment: Record<string, string>,
): Promise<string> {
  const env = { PATH: process.env['PATH'], ...environment }
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], { env })
  return stdout
}

/** Starts `work` of a release. */
export function startWorker(
  main: string,
  environment: Record<string, string>,
): { child: ChildProcess } & Disposable {
  const env = { PATH: process.env['PATH'], ...environment }
  const child = spawn(process.execPath, [main, 'work'], { env, stdio: 'ignore' })
  return { child, [Symbol.dispose]: () => void child.kill('SIGKILL') }
}

/** A tenant of a release, with a key for the test environment. */
export async function createMerchant(
  main: string,
  environment: Record<string, string>,
): Promise<{ tenant_id: string; key: string }> {
  const run = (...args: string[]) => runRelease(main, args, environment)
  const { tenant_id } = JSON.parse(
    await run('admin', 'tenant', 'create', '--name', 'Corner shop', '--daily-quota', '10000000', '--json'),
  )
  const scopes = 'verifications:create,verifications:read'
  const created = await run(
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
  )
  return { tenant_id, key: JSON.parse(created).key }
}
