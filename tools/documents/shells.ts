import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { packedProgram } from '../../apps/service/test/processes/packed-program.ts'
import type { Block } from './read-blocks.ts'

type BlockResult = { output: string; seconds: number }

export type Shells = {
  /** Runs a block in the shell that it names, to its end or until the expected output appears. */
  run(block: Pick<Block, 'text' | 'attributes' | 'document' | 'line'>): Promise<BlockResult>
  /** All output of a shell so far. */
  output(terminal: string): string
} & AsyncDisposable

const defaultShell = 'reader'
const timeout_ms = 300_000

/** Opens named shells that keep their variables between blocks, like a reader's terminals. Disposing ends all of them. */
export function openShells({
  cwd,
  environment,
}: {
  cwd: string
  environment: Record<string, string | undefined>
}): Shells {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-blocks-'))
  const shells = new Map<string, Shell>()
  let count = 0

  const findShell = (name: string): Shell => {
    const shell = shells.get(name) ?? openShell(cwd, environment)
    shells.set(name, shell)
    return shell
  }

  return {
    async run({ text, attributes, document, line }) {
      const started = performance.now()
      const shell = findShell(attributes['terminal'] ?? defaultShell)
      const before = shell.output().length
      const file = join(folder, `${(count += 1)}.sh`)
      writeFileSync(file, text)
      // Run from a file, so that a command that reads standard input does not consume the rest of the block.
      const mark = attributes['until'] ?? `ended-${count}`
      shell.write(`. ${file} < /dev/null\n`)
      if (attributes['until'] === undefined) shell.write(`echo ${mark}\n`)
      const output = () => shell.output().slice(before)
      const deadline_ms = performance.now() + timeout_ms
      while (!output().includes(mark)) {
        if (shell.ended() || performance.now() > deadline_ms)
          throw new Error(`${document}:${line} did not finish:\n${text}\n${output()}`)
        await sleep(20)
      }
      return { output: output().replace(`${mark}\n`, ''), seconds: (performance.now() - started) / 1000 }
    },
    output: (terminal) => shells.get(terminal)?.output() ?? '',
    async [Symbol.asyncDispose]() {
      await Promise.all([...shells.values()].map((shell) => shell.close()))
      rmSync(folder, { recursive: true })
    },
  }
}

/** Puts a command `vidimus`, the packed program, into the folder `bin` of another, in place of `npm install -g vidimus`. */
export function installProgram(folder: string): void {
  mkdirSync(join(folder, 'bin'))
  const script = `#!/bin/sh\nexec ${process.execPath} ${packedProgram()} "$@"\n`
  writeFileSync(join(folder, 'bin/vidimus'), script, { mode: 0o755 })
}

type Shell = ReturnType<typeof openShell>

function openShell(cwd: string, environment: Record<string, string | undefined>) {
  // A separate process group, so that everything the shell started ends with it.
  const child = spawn('bash', ['-seo', 'pipefail'], { cwd, env: environment, detached: true })
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()))
  child.stdin.on('error', () => {})
  return {
    write: (text: string) => void child.stdin.write(text),
    output: () => chunks.join(''),
    ended: () => child.exitCode !== null || child.signalCode !== null,
    close: () => end(child),
  }
}

const exitTimeout_ms = 10_000

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    try {
      process.kill(-child.pid, signal)
    } catch {
      // The process group has already exited.
      return
    }
    await Promise.race([gone, sleep(exitTimeout_ms, undefined, { ref: false })])
    if (child.exitCode !== null || child.signalCode !== null) return
  }
}
