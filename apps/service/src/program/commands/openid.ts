import { rotateSigningKeys } from '../../holder/index.ts'
import { command, printResult } from './command.ts'
import { jsonOption, parseUuid, tenantOption } from './options.ts'
import { withContext } from './with-context.ts'

export const openidRotateKeysCommand = command({
  options: { tenant: tenantOption, json: jsonOption },
  async run({ values }) {
    const tenant_id = parseUuid('tenant', values.tenant)
    const rotated = await withContext((ctx) =>
      rotateSigningKeys(ctx, { by: { kind: 'operator', tenant_id } }),
    )
    printResult(values, rotated, [`New keys: ${rotated.key_ids.join(', ')}`])
  },
})
