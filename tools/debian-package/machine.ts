import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const release = 'bookworm'
const asRoot = process.getuid?.() === 0 ? [] : ['sudo']
const maxOutput_bytes = 16 * 1024 * 1024
const timeout_ms = 300_000

/** A Debian with nothing but systemd, booted beside this one with processes, mounts and a network of its own. */
export type Machine = {
  /** Runs a script as root, and returns what it prints. Rejects if it fails. */
  run(script: string): Promise<string>
  /** The same, for a script that gets packages: they are downloaded first, because the machine itself reaches nobody. */
  install(script: string): Promise<string>
  /** Puts a file into root's home folder. */
  give(file: string): void
} & AsyncDisposable

/** Needs root, or sudo without a password, and debootstrap. */
export async function startMachine(): Promise<Machine> {
  await using stack = new AsyncDisposableStack()
  const root = mkdtempSync(join(tmpdir(), 'vidimus-machine-'))
  stack.defer(() => void execFileSync(...command('rm', '-rf', root)))
  await run(...command('debootstrap', '--variant=minbase', '--include=systemd-sysv', release, root), {
    maxBuffer: maxOutput_bytes,
    timeout: timeout_ms,
  })
  // It becomes `/`, and the folder that was made is for its owner alone.
  execFileSync(...command('chmod', '755', root))
  // The network is the host's while packages are downloaded.
  execFileSync(...command('cp', '--dereference', '/etc/resolv.conf', '/etc/hosts', join(root, 'etc')))
  const boot = spawn(...command(join(import.meta.dirname, 'boot-machine.sh'), root), {
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  })
  const exited = once(boot, 'exit')
  stack.defer(async () => {
    execFileSync(...command('kill', '--', `-${boot.pid}`))
    await exited
  })
  const init = await findInit(boot.pid ?? 0)

  const enter = async (namespaces: readonly string[], script: string) => {
    const variables = ['HOME=/root', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'DEBIAN_FRONTEND=noninteractive']
    const args = [
      `--target=${init}`,
      ...namespaces,
      '--root',
      '--wd',
      'env',
      '-i',
      '--chdir=/root',
      ...variables,
    ]
    const shell = ['bash', '--norc', '-euo', 'pipefail', '-c', script]
    const { stdout, stderr } = await run(...command('nsenter', ...args, ...shell), {
      maxBuffer: maxOutput_bytes,
      timeout: timeout_ms,
    }).catch((error: Error & { stdout?: string }) => {
      // Its message has only what went to standard error.
      throw new Error(`${error.message}\n${error.stdout}`, { cause: error })
    })
    return stdout + stderr
  }
  const shared = ['--mount', '--uts', '--ipc', '--pid', '--cgroup']
  const runInside = (script: string) => enter([...shared, '--net'], script)
  await runInside('systemctl is-system-running --wait || true')
  const owned = stack.move()
  return {
    run: runInside,
    async install(script) {
      await enter(shared, script.replaceAll('apt-get install', 'apt-get install --download-only'))
      return runInside(script.replaceAll(/^apt-get update$/gm, 'true'))
    },
    give: (file) => void execFileSync(...command('cp', file, join(root, 'root'))),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function command(name: string, ...args: string[]): [string, string[]] {
  const [first = name, ...rest] = [...asRoot, name, ...args]
  return [first, rest]
}

/** The first process of the machine: the deepest of those that the script starts. */
async function findInit(script: number): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    for (const pid of descendants(script))
      if (/systemd\0/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))) return pid
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the machine did not start')
}

function descendants(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
  return children.flatMap((child) => [child, ...descendants(child)])
}
