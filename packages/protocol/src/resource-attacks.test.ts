import { afterAll, describe, expect, test } from 'vitest'
import { openAttackRunner } from '../test/open-attack-runner.ts'
import { resourceAttacks } from '../test/resource-attacks.ts'

/** Large but valid. */
const valid = /^(?:a status list of 8 M entries|15,000 digests)/

describe('[OID4VP-24] [OID4VP-30] input that is expensive to read costs at most 250 ms and 64 MiB', () => {
  const runner = openAttackRunner()
  afterAll(() => runner[Symbol.dispose]())

  test.each(Object.keys(resourceAttacks))('%s', async (name) => {
    const { status, cpu_ms, grown_mib } = await runner.run(name)
    expect(status).toBe(valid.test(name) ? 'completed' : 'failed')
    expect(cpu_ms).toBeLessThan(250)
    expect(grown_mib).toBeLessThan(64)
  })
})
