import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startProcess } from './processes.ts'

test('a process that does not accept requests in time is killed', async () => {
  const run = join(tmpdir(), 'silent.mjs')
  writeFileSync(run, 'setInterval(() => {}, 1000)')
  const error = await startProcess({}, { run, start_ms: 1500 }).then(
    () => 'it started',
    (reason: unknown) => String(reason),
  )
  const pid = Number(/process (\d+) did not start within 1.5 s/.exec(error)?.[1])

  expect(pid).toBeGreaterThan(1)
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test('temporary files of this run are in a folder that is removed at its end', () => {
  expect(tmpdir()).toMatch(/\/vidimus-tests-\w{6}$/)
})
