import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { refreshAllLists } from '../apps/service/src/trust/lists/refresh.ts'
import { startProcesses } from '../apps/service/test/processes/processes.ts'
import { startRealSizeLists } from '../apps/service/test/trust/real-size-lists.ts'
import { compare, summarize, type Bench } from './figure.ts'
import { load } from './run-load.ts'
import { prepareResponses } from './wallet.ts'

const rounds = 4
const responses = 800

/**
 * The 99th percentile of wallet responses while three lists of real size are refreshed and all of them have changed, compared with rounds
 * without a refresh in between. This process refreshes, as `vidimus work` does.
 */
const refresh: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-bench-'))
  await using lists = await startRealSizeLists()
  const file = join(folder, 'lists.json')
  writeFileSync(file, JSON.stringify(lists.settings))
  const environment = {
    LOG_LEVEL: 'error',
    TRUST_LISTS_FILE: file,
    WEBHOOK_EGRESS_ALLOW: '127.0.0.1/32',
  }
  await using service = await startProcesses(1, { environment })
  const merchant = await service.tenant({ daily_quota: 1_000_000 })
  lists.publish(1)
  await sleep(500)
  await refreshAllLists(service.ctx)
  const { rate } = await load(await prepareResponses(service, merchant, responses))
  const p99 = { with: [] as number[], without: [] as number[] }
  const durations: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    lists.publish(round + 2)
    // Writing the lists blocked this process. Connections that were closed meanwhile must be noticed before they are used.
    await sleep(500)
    const prepare = async () => ({
      ...(await prepareResponses(service, merchant, responses)),
      per_second: rate / 2,
    })
    const alone = await load(await prepare())
    const beside = await prepare()
    const began = performance.now()
    const [responded] = await Promise.all([
      load(beside),
      expectRefreshed(service.ctx).then(() => durations.push((performance.now() - began) / 1000)),
    ])
    process.stderr.write(
      `round ${round}: p99 ${alone.p99_ms} ms without, ${responded.p99_ms} ms with a refresh\n`,
    )
    // The first round is the warm-up.
    if (round === 0) continue
    p99.without.push(alone.p99_ms)
    p99.with.push(responded.p99_ms)
  }
  rmSync(folder, { recursive: true })
  return [
    compare('trust_lists.refresh', 'ms, p99 at half rate', { values: p99.with, bare: p99.without }),
    summarize('trust_lists.duration', 's for three lists', durations),
  ]
}

async function expectRefreshed(ctx: Parameters<typeof refreshAllLists>[0]): Promise<void> {
  const lists = await refreshAllLists(ctx)
  const faults = lists.flatMap((list) => ('fault' in list ? list.fault : []))
  if (lists.length !== 3 || faults.length > 0) throw new Error(`not refreshed: ${faults.join()}`)
}

export const benches: Record<string, Bench> = { 'trust_lists.refresh': refresh }
