import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { insertEntries } from '../../../../test/audit/audit.ts'
import { runCommand } from '../../../../test/processes/run-command.ts'
import { runProgram } from '../../../../test/processes/run-program.ts'
import { startWorkerProcesses } from '../../../../test/processes/worker-processes.ts'
import { startService, testEnvironment } from '../../../../test/service.ts'
import { waitUntil } from '../../../../test/wait-until.ts'
import { readLastLeaf } from '../../../audit/log/log-store.ts'

// The rotation of docs/operate/rotate.md as an operator does it: with the program, while the service runs.

const folder = mkdtempSync(join(tmpdir(), 'vidimus-drill-'))
afterAll(() => rmSync(folder, { recursive: true }))

const script = fileURLToPath(new URL('../../../../../../docs/reference/audit-check.py', import.meta.url))

test('[AUD-5] drill: the audit key is replaced twice while workers sign and are killed; the first public key checks every export', async () => {
  const checkpoints = join(folder, 'checkpoints')
  await using service = await startService({ environment: { AUDIT_CHECKPOINT_DIR: checkpoints } })
  const { db } = service.ctx
  const { tenant_id } = await service.tenant()
  const environment = testEnvironment(service.database_url, {
    LOG_LEVEL: 'silent',
    AUDIT_CHECKPOINT_DIR: checkpoints,
  })
  const run = (...args: string[]) =>
    runCommand([...(args[0] === 'check' ? [] : ['admin']), 'audit', ...args], environment)
  const save = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const first = save('first.pem', (await run('public-key')).stdout)
  const before = save('before.jsonl', (await run('export', '--tenant', tenant_id)).stdout)
  const kept = save('kept.checkpoint', readFileSync(join(checkpoints, 'latest.checkpoint'), 'utf8'))

  let finished = false
  const load = (async () => {
    while (!finished) {
      await insertEntries(db, [tenant_id], 5)
      await sleep(250)
    }
  })()
  {
    await using workers = await startWorkerProcesses({
      workers: 2,
      environment: { ...environment, METRICS_PORT: 'off' },
    })
    for (const number of [1, 2]) {
      const size = (await readLastLeaf(db))?.index ?? 0
      await waitUntil(async () => ((await readLastLeaf(db))?.index ?? 0) > size, { within_ms: 60_000 })
      const rotated = await runProgram(['admin', 'audit', 'rotate-key', '--json'], environment)
      expect([rotated.status, rotated.stderr]).toEqual([0, ''])
      expect(JSON.parse(rotated.stdout)).toMatchObject({ number, handovers: { length: number } })
      await workers.replaceOne()
    }
    const size = (await readLastLeaf(db))?.index ?? 0
    await waitUntil(async () => ((await readLastLeaf(db))?.index ?? 0) > size, { within_ms: 60_000 })
  }
  finished = true
  await load

  const after = save('after.jsonl', (await run('export', '--tenant', tenant_id, '--checkpoint', kept)).stdout)
  for (const file of [before, after]) {
    expect(await run('check', file, '--public-key', first)).toMatchObject({ status: 0, stderr: '' })
    const python = spawnSync('python3', [script, file, first], { encoding: 'utf8' })
    expect([python.status, python.stdout]).toEqual([0, 'as it was signed\n'])
  }
  expect(await run('check', after, '--public-key', first, '--checkpoint', kept)).toMatchObject({ status: 0 })
  const current = save('current.pem', (await run('public-key')).stdout)
  expect(readFileSync(current, 'utf8')).not.toBe(readFileSync(first, 'utf8'))
  expect(await run('check', after, '--public-key', current)).toMatchObject({ status: 0 })
  expect(await run('check', before, '--public-key', current)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("not signed with this log's key"),
  })
  expect(await run('verify')).toMatchObject({ status: 0, stderr: '' })
}, 240_000)
