import { afterAll, describe, expect, test } from 'vitest'
import { resourceAttacks } from '../test/resource-attacks.ts'
import { openAttackRunner } from '../test/open-attack-runner.ts'

/** Large, and in order. */
const right = /^(?:a status list of 8 M entries|15,000 digests)/

describe('lines 24 and 30: what is dear to read costs at most 250 ms and 64 MiB', () => {
  const range = openAttackRunner()
  afterAll(() => range[Symbol.dispose]())

  test.each(Object.keys(resourceAttacks))('%s', async (name) => {
    const { status, cpu_ms, grown_mib } = await range.run(name)
    expect(status).toBe(right.test(name) ? 'completed' : 'failed')
    expect(cpu_ms).toBeLessThan(250)
    expect(grown_mib).toBeLessThan(64)
  })
})
