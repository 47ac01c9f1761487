import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { buildPackage } from '../../build-package.ts'
import { requireBinary, runtimes, type RuntimeName } from './binaries.ts'
import type { SuiteReport, SuiteInput } from './suite.ts'

const runProgram = promisify(execFile)

export const runtimeNames = Object.keys(runtimes) as RuntimeName[] // The keys of a literal.

export function isInstalled(name: RuntimeName): boolean {
  return runtimes[name] !== undefined
}

/** Sets up a folder like a merchant's project: the published package, and the suite with its types stripped. */
export async function createProject(folder: string): Promise<void> {
  await buildPackage(pathToFileURL(`${join(folder, 'node_modules/@vidimus/sdk')}/`))
  const suite = readFileSync(new URL('suite.ts', import.meta.url), 'utf8')
  const files = {
    'package.json': '{ "type": "module", "dependencies": { "@vidimus/sdk": "*" } }',
    'suite.js': stripTypeScriptTypes(suite),
    'main.js': `import { runSuite } from './suite.js'
const argument = globalThis.Deno === undefined ? globalThis.process.argv[2] : globalThis.Deno.args[0]
console.log(JSON.stringify(await runSuite(JSON.parse(argument))))
`,
    'worker.js': `import { runSuite } from './suite.js'
export default { fetch: async (request) => Response.json(await runSuite(await request.json())) }
`,
    'config.capnp': workerdConfig,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

/** Runs the suite on one runtime and returns its report. */
export async function runSuiteOn(name: RuntimeName, folder: string, input: SuiteInput): Promise<SuiteReport> {
  if (name === 'workerd') return runOnWorkerd(folder, input)
  const flags =
    name === 'deno' ? ['run', '--allow-net=127.0.0.1', '--node-modules-dir=manual', '--no-lock'] : []
  const { stdout } = await runProgram(requireBinary(name), [...flags, 'main.js', JSON.stringify(input)], {
    cwd: folder,
    env: { HOME: folder, DENO_NO_UPDATE_CHECK: '1' },
    timeout: 60_000,
  })
  return JSON.parse(stdout)
}

/** workerd cannot run a script and exit, so the suite runs in response to an HTTP request. */
async function runOnWorkerd(folder: string, input: SuiteInput): Promise<SuiteReport> {
  const child = spawn(
    requireBinary('workerd'),
    ['serve', 'config.capnp', '--control-fd=3', '--socket-addr=http=127.0.0.1:0'],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    },
  )
  try {
    const control = child.stdio[3]
    if (control === undefined || control === null) throw new Error('workerd has no control pipe.')
    const [line] = await once(control, 'data', { signal: AbortSignal.timeout(30_000) })
    const { port } = JSON.parse(String(line).split('\n')[0] ?? '')
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: JSON.stringify(input) })
    return (await response.json()) as SuiteReport // The suite returns a report.
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

const workerdConfig = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "suite", worker = .suite),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "suite")],
);
const suite :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "suite.js", esModule = embed "suite.js"),
    (name = "@vidimus/sdk", esModule = embed "node_modules/@vidimus/sdk/esm/index.js"),
  ],
  compatibilityDate = "2026-01-01",
  globalOutbound = "internet",
);
`
