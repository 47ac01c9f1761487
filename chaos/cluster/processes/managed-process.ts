import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type ProcessCommand = {
  name: string
  command: string
  args: readonly string[]
  env?: Record<string, string>
  /** The user it runs as, if this process may choose. */
  user?: string
  /** The network namespace it runs in. By default that of this process. */
  namespace?: string | undefined
}

/** A process of the cluster that can be killed, suspended and started again. It keeps running when this process exits. */
export type ManagedProcess = {
  name: string
  pid(): number
  running(): boolean
  /** How often it ended although nobody asked for it. */
  unexpectedExits(): number
  start(): void
  /** Starts it as a service manager does: again, for as long as it exits within its first ten seconds. */
  startPersistently(): Promise<void>
  /** Sends a signal that does not end it. */
  signal(signal: NodeJS.Signals): void
  /** Ends it, with SIGKILL by default, and waits until it has exited. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Everything it wrote so far. */
  log(): string
}

/** Without a database, a process exits after a few seconds. */
const startUp_ms = 10_000
const maxStarts = 12

/** Starts a process. `folder` gets its output in `log/NAME` and its pid in `pid/NAME`, from which `removeCluster` can end it. */
export function startManaged(folder: string, command: ProcessCommand): ManagedProcess {
  const { name } = command
  const [logFile, pidFile] = [join(folder, 'log', name), join(folder, 'pid', name)]
  let child: ChildProcess | undefined
  let expected = false
  let startingUp = false
  let unexpected = 0
  const running = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const start = () => {
    const log = openSync(logFile, 'a')
    const [file = '', ...args] = fullCommand(command)
    const started = spawn(file, args, {
      env: { PATH: process.env['PATH'], ...command.env },
      cwd: folder,
      detached: true,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    started.unref()
    expected = false
    started.once('exit', () => {
      if (!expected && !startingUp && child === started) unexpected += 1
    })
    child = started
    writeFileSync(pidFile, String(started.pid))
  }
  const startPersistently = async () => {
    startingUp = true
    for (let starts = 1; starts <= maxStarts; starts += 1) {
      start()
      await sleep(startUp_ms)
      if (running()) break
    }
    startingUp = false
  }
  start()
  return {
    name,
    pid: () => child?.pid ?? 0,
    running,
    unexpectedExits: () => unexpected,
    start,
    startPersistently,
    signal: (signal) => void child?.kill(signal),
    async kill(signal = 'SIGKILL') {
      expected = true
      if (child !== undefined && running()) {
        const gone = once(child, 'exit')
        child.ref()
        child.kill(signal)
        await gone
      }
      rmSync(pidFile, { force: true })
    },
    log: () => readFileSync(logFile, 'utf8'),
  }
}

/** Both `ip netns exec` and `setpriv` replace themselves, so that the pid is that of the program. */
function fullCommand({ command, args, user, namespace }: ProcessCommand): string[] {
  const isRoot = process.getuid?.() === 0
  return [
    ...(namespace === undefined ? [] : ['ip', 'netns', 'exec', namespace]),
    ...(isRoot && user !== undefined
      ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups']
      : []),
    command,
    ...args,
  ]
}
