import { rotateWebhookSecret } from '../webhooks/secrets/rotate-secret.ts'
import { command, printResult } from './command.ts'
import { defaultFolder, updateDevSecret } from './dev/dev-settings.ts'
import { jsonOption, tenantOption, parseUuid } from './options.ts'
import { withContext } from './with-context.ts'

export const secretRotateCommand = command({
  summary:
    'Creates a new webhook secret for a tenant and prints it, only once. The old one also signs for 24 hours.',
  options: {
    tenant: tenantOption,
    json: jsonOption,
  },
  async run({ values }) {
    const by = { kind: 'operator', tenant_id: parseUuid('tenant', values.tenant) } as const
    const webhook_secret = await withContext((ctx) => rotateWebhookSecret(ctx, { by }))
    updateDevSecret(defaultFolder, by.tenant_id, webhook_secret)
    printResult(values, { webhook_secret }, [`webhook secret  ${webhook_secret}`])
  },
})
