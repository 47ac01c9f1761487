import { on } from 'node:events'
import { verifyPresentation } from '../src/verify-presentation.ts'
import type { AttackCost, AttackInput } from './open-attack-runner.ts'

/** Verifies the inputs that the parent sends, until it disconnects. */
process.once('disconnect', () => process.exit())
for await (const [input] of on(process, 'message') as AsyncIterable<[AttackInput]>)
  process.send?.(await measure(input))

async function measure({
  request,
  anchors,
  lists,
  now,
  warm_up,
  presentation,
}: AttackInput): Promise<AttackCost> {
  const trust = {
    anchors,
    lookUpStatus: async (uri: string) => lists[uri],
    status_unavailable: 'fail',
  } as const
  for (let turn = 0; turn < 5; turn += 1) await verifyPresentation(request, { any: [warm_up] }, trust, now)

  const maxBefore = process.resourceUsage().maxRSS
  const startedAt = process.cpuUsage()
  const { status, error } = await verifyPresentation(request, { any: [presentation] }, trust, now)
  const { user, system } = process.cpuUsage(startedAt)
  return {
    status,
    ...(error && { code: error.code }),
    cpu_ms: (user + system) / 1000,
    grown_mib: (process.resourceUsage().maxRSS - maxBefore) / 1024,
  }
}
