import { clientSecretOverlaps_seconds } from '@vidimus/contract'
import { getClient, rollClientSecret, rotateSigningKeys } from '../../holder/index.ts'
import { clientOption, printClient, requireBaseUrl } from './client.ts'
import { command, printResult, UsageError } from './command.ts'
import { jsonOption, parseUuid, tenantOption } from './options.ts'
import { withContext } from './with-context.ts'

export const clientRollSecretCommand = command({
  options: {
    tenant: tenantOption,
    client: clientOption,
    overlap: {
      type: 'string',
      description: `for how many seconds the old secret works: ${clientSecretOverlaps_seconds.join(', ')} (default: 86400)`,
    },
    json: jsonOption,
  },
  async run({ values }) {
    const tenant_id = parseUuid('tenant', values.tenant)
    const client_id = values.client
    const overlap_seconds = parseOverlap(values.overlap)
    requireBaseUrl()
    const { client, secret } = await withContext(async (ctx) => {
      const by = { kind: 'operator', tenant_id } as const
      const rolled = await rollClientSecret(ctx, { by, client_id, overlap_seconds })
      return { ...rolled, client: await getClient(ctx, { tenant_id, client_id }) }
    })
    printClient(values, { client, secret }, client, secret)
  },
})

export const clientRotateKeysCommand = command({
  options: { tenant: tenantOption, json: jsonOption },
  async run({ values }) {
    const tenant_id = parseUuid('tenant', values.tenant)
    const rotated = await withContext((ctx) =>
      rotateSigningKeys(ctx, { by: { kind: 'operator', tenant_id } }),
    )
    printResult(values, rotated, [`New keys: ${rotated.key_ids.join(', ')}`])
  },
})

function parseOverlap(given: string | undefined): (typeof clientSecretOverlaps_seconds)[number] {
  if (given === undefined) return 86_400
  const found = clientSecretOverlaps_seconds.find((seconds) => String(seconds) === given)
  if (found === undefined)
    throw new UsageError(`--overlap must be one of ${clientSecretOverlaps_seconds.join(', ')}`)
  return found
}
