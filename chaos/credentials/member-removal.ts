import { signIn } from '../../apps/service/test/sign-in/browser.ts'
import { raceRemoval } from '../../apps/service/test/sign-in/removal-race.ts'
import { startService } from '../../apps/service/test/service.ts'
import type { ChaosRun } from '../chaos-run.ts'

/** Removes members while they accept an invitation, invite others, create a key or register a device: afterwards none of it works. */
export const memberRemoval: ChaosRun = async ({ n = 200 }) => {
  let lost = 0
  const roundsPerTenant = 20
  await using service = await startService()
  for (let round = 0; round < n; round += roundsPerTenant) {
    const merchant = await service.tenant()
    const owner = await signIn(service, merchant)
    for (let each = 0; each < Math.min(roundsPerTenant, n - round); each += 1) {
      lost += (await raceRemoval(service, { merchant, owner, round: each })).length
    }
  }
  return { name: 'members.removal', faults: n, acknowledged: n, lost, duplicated: 0 }
}
