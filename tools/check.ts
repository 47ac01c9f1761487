import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/**
 * `npm run check`: all static checks, or those named as arguments (`npm run lint`, `npm run typecheck`). Shows the findings
 * of every check, not only of the first that fails.
 */
const checks = [
  // TypeScript 7 takes a third of the time of version 6. The import check still needs 6.
  { name: 'types', command: ['node_modules/typescript-7/bin/tsc'] },
  { name: 'types of the dashboard', command: ['node_modules/typescript-7/bin/tsc', '-p', 'apps/dashboard'] },
  {
    name: 'types of the console',
    command: ['node_modules/typescript-7/bin/tsc', '-p', 'apps/dashboard/src/console'],
  },
  {
    name: 'types of the component',
    command: ['node_modules/typescript-7/bin/tsc', '-p', 'packages/component'],
  },
  {
    name: "types of the holder's page",
    command: ['node_modules/typescript-7/bin/tsc', '-p', 'apps/verify'],
  },
  { name: 'types of the till', command: ['node_modules/typescript-7/bin/tsc', '-p', 'apps/till'] },
  // Only where the benchmark of the peers has installed them.
  ...(existsSync('bench/peers/programs/node_modules')
    ? [
        {
          name: 'types of the peers',
          command: ['node_modules/typescript-7/bin/tsc', '-p', 'bench/peers/programs'],
        },
      ]
    : []),
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'format', command: ['oxfmt', '--check', '.'] },
  { name: 'imports', command: ['node', 'tools/check-imports.ts'] },
  { name: 'unused', command: ['knip'] },
]

const names = process.argv.slice(2)
const unknown = names.filter((name) => !checks.some((check) => check.name === name))
if (unknown.length > 0) throw new Error(`No such check: ${unknown.join(', ')}.`)
const waiting = checks.filter(({ name }) => names.length === 0 || names.includes(name))
const failed: string[] = []
await Promise.all(Array.from({ length: availableParallelism() }, worker))
process.exitCode = failed.length === 0 ? 0 : 1

async function worker(): Promise<void> {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    const started = performance.now()
    const { code, output } = await run(check.command)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${check.name} (${seconds} s)`)
    if (code === 0) continue
    failed.push(check.name)
    console.log(output)
  }
}

function run([program = '', ...args]: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', (error) => resolve({ code: 1, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }))
  })
}
