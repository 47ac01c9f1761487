import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { caller } from '../../../test/caller.ts'
import { startProcesses } from '../../../test/processes/processes.ts'
import { revokeKey } from './roll-key.ts'

const withProbes = fileURLToPath(new URL('../../../test/serve-probes.ts', import.meta.url))

test('[AUTH-12] a key revoked on one process is refused by every other from the next request on', async () => {
  await using service = await startProcesses(3, { run: withProbes })
  const merchant = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const everywhere = service.processes.map(({ address }) => address)

  for (let round = 0; round < 10; round += 1) {
    const { key, key_id } = await merchant.as({ scopes: ['verifications:read'] })
    const callEveryProcess = () =>
      Promise.all(everywhere.map((address) => caller(address, key).get('/v1/probe')))
    expect((await callEveryProcess()).map(({ status }) => status)).toEqual([200, 200, 200])
    await revokeKey(service.ctx, { by, key_id })
    expect((await callEveryProcess()).map(({ body }) => body.error.code)).toEqual(
      everywhere.map(() => 'invalid_api_key'),
    )
  }
})
