import { createKey } from '../../apps/service/src/accounts/api-keys/create-key.ts'
import { setClockOffset } from '../../apps/service/test/database/clock.ts'
import { startProcesses, type ServiceProcesses } from '../../apps/service/test/processes/processes.ts'
import { compare, type Figure } from '../figure.ts'
import type { GrowthDatabase } from './database.ts'
import { growthOperations, type MeasureGrowth, type Side } from './operations.ts'

const day_ms = 86_400_000
const environment = { LOG_LEVEL: 'error' }
const scopes = ['verifications:create', 'verifications:read', 'verifications:delete'] as const

export type GrowthOptions = {
  verifications: number
  last_day: string
  rounds: number
  operations: readonly string[]
}

/** Measures each operation on the filled database and on an empty one of the same server, in turns. */
export async function measureGrowth(
  { url, tenant_id }: GrowthDatabase,
  { verifications, last_day, rounds, operations }: GrowthOptions,
): Promise<Figure[]> {
  const database = { url, [Symbol.asyncDispose]: async () => {} }
  await using filledService = await startProcesses(1, { environment, database })
  await using emptyService = await startProcesses(1, { environment })
  const merchant = await emptyService.tenant({ daily_quota: 2_000_000_000 })
  const filled: Side = {
    service: filledService,
    tenant_id,
    key: await newKey(filledService, tenant_id),
    isFilled: true,
  }
  const empty: Side = { ...merchant, service: emptyService, isFilled: false }
  // A database that was filled on another day is measured as on that day.
  const days = Math.floor((Date.now() - Date.parse(last_day)) / day_ms)
  for (const { service } of [filled, empty]) await setClockOffset(service.ctx.db, `-${days} days`)
  // So that a list of the empty side has a page too.
  await growthOperations.create(empty)
  const figures: Figure[] = []
  for (const [name, measure] of Object.entries(growthOperations)) {
    if (operations.length > 0 && !operations.includes(name)) continue
    const rates = { values: [] as number[], bare: [] as number[] }
    for (let round = 0; round <= rounds; round += 1) {
      const pair = await measurePair(measure, round)
      // The first round is the warm-up.
      if (round === 0) continue
      rates.values.push(pair.filled)
      rates.bare.push(pair.empty)
    }
    figures.push(compare(`growth.${name}.${verifications}`, '1/s', rates))
    process.stderr.write(`${JSON.stringify(figures.at(-1))}\n`)
  }
  return figures

  /** The sides take turns in who is first. */
  async function measurePair(measure: MeasureGrowth, round: number) {
    if (round % 2 === 0) return { empty: await measure(empty), filled: await measure(filled) }
    return { filled: await measure(filled), empty: await measure(empty) }
  }
}

async function newKey({ ctx }: ServiceProcesses, tenant_id: string): Promise<string> {
  const by = { kind: 'operator', tenant_id } as const
  return (await createKey(ctx, { by, environment: 'test', scopes })).key
}
