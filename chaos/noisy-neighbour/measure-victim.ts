import { setTimeout as sleep } from 'node:timers/promises'
import type { Issuer } from '@vidimus/sandbox'
import { openHttpClient } from './http-client.ts'
import { prepareResponse } from './prepare-response.ts'

export type Samples = { create_ms: number[]; response_ms: number[]; failures: string[] }

export type MeasureVictim = { port: number; key: string; issuer: Issuer; seconds: number; per_second: number }

/**
 * Measures a tenant with modest use on its own address: verifications at a fixed rate, each answered by the sandbox wallet,
 * without waiting for earlier ones.
 */
export async function measureVictim({
  port,
  key,
  issuer,
  seconds,
  per_second,
}: MeasureVictim): Promise<Samples> {
  const client = openHttpClient({ port, localAddress: '127.0.0.2' })
  const samples: Samples = { create_ms: [], response_ms: [], failures: [] }
  const began = performance.now()
  const pending: Promise<void>[] = []
  for (let count = 0; count < seconds * per_second; count += 1) {
    await sleep(Math.max(0, began + (count * 1000) / per_second - performance.now()))
    pending.push(verifyOnce())
  }
  await Promise.all(pending)
  client.close()
  return samples

  async function verifyOnce(): Promise<void> {
    const { created, fetched, post } = await prepareResponse({
      client,
      key,
      issuer,
      creation: { template: 'age_over_18' },
    })
    samples.create_ms.push(created.took_ms)
    if (post === undefined) {
      samples.failures.push(`create ${created.status}, request ${fetched?.status ?? '-'}`)
      return
    }
    const response = await post()
    samples.response_ms.push(response.took_ms)
    if (response.status !== 200) samples.failures.push(`response ${response.status}`)
  }
}
