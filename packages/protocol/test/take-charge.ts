import { on } from 'node:events'
import { verifyPresentation } from '../src/verify-presentation.ts'
import type { Charge, Damage } from './explode.ts'

/** The process in which bombs go off, until the parent lets go of it. */
process.once('disconnect', () => process.exit())
for await (const [charge] of on(process, 'message') as AsyncIterable<[Charge]>)
  process.send?.(await take(charge))

async function take({ request, anchors, lists, now, harmless, presentation }: Charge): Promise<Damage> {
  const trust = {
    anchors,
    lookUpStatus: async (uri: string) => lists[uri],
    status_unavailable: 'fail',
  } as const
  for (let turn = 0; turn < 5; turn += 1) await verifyPresentation(request, { any: [harmless] }, trust, now)

  const most = process.resourceUsage().maxRSS
  const began = process.cpuUsage()
  const { status, error } = await verifyPresentation(request, { any: [presentation] }, trust, now)
  const { user, system } = process.cpuUsage(began)
  return {
    status,
    ...(error && { code: error.code }),
    cpu_ms: (user + system) / 1000,
    grown_mib: (process.resourceUsage().maxRSS - most) / 1024,
  }
}
