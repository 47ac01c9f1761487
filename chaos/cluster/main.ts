import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { removeCluster } from './processes/remove-cluster.ts'
import { startCluster } from './start-cluster.ts'

/**
 * `npm run cluster -- up [--nodes N] [--asynchronous]` starts a cluster that keeps running, and prints its addresses;
 * `npm run cluster -- down` ends it and removes its files.
 */
const stateFile = '.vidimus/cluster.json'

const { values, positionals } = parseArgs({
  options: { nodes: { type: 'string', default: '3' }, asynchronous: { type: 'boolean', default: false } },
  allowPositionals: true,
})
if (positionals[0] === 'up') await up()
else if (positionals[0] === 'down') await down()
else {
  process.stderr.write('npm run cluster -- up [--nodes N] [--asynchronous] | down\n')
  process.exitCode = 2
}

async function up(): Promise<void> {
  if (readState() !== undefined) {
    process.stderr.write(`A cluster is running. End it with: npm run cluster -- down\n`)
    process.exitCode = 1
    return
  }
  const cluster = await startCluster({
    nodes: Number(values.nodes),
    ...(values.asynchronous && { synchronous: false }),
  })
  const { folder, address, database_url, environment } = cluster
  mkdirSync('.vidimus', { recursive: true })
  writeFileSync(stateFile, JSON.stringify({ folder, address, database_url, environment }, undefined, 2))
  await cluster.ctx[Symbol.asyncDispose]()
  const primary = await cluster.primary()
  process.stdout.write(
    `service   ${address}\ndatabase  ${database_url}\nprimary   ${primary.name}\nfiles     ${folder}\n`,
  )
}

async function down(): Promise<void> {
  const state = readState()
  if (state === undefined) return
  await removeCluster(state.folder)
  rmSync(stateFile)
}

function readState(): { folder: string } | undefined {
  try {
    return JSON.parse(readFileSync(stateFile, 'utf8'))
  } catch {
    // No cluster was started here.
    return undefined
  }
}
