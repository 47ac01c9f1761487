import { environments } from '@vidimus/contract'
import { rotateWebhookSecret } from '../../deliveries/index.ts'
import { asOperator, operatorOptions } from './as-operator.ts'
import { command, printResult } from './command.ts'
import { defaultFolder, updateDevSecret } from './dev/dev-settings.ts'
import { jsonOption, tenantOption, parseEnvironment, parseUuid } from './options.ts'
import { withContext } from './with-context.ts'

export const secretRotateCommand = command({
  options: {
    tenant: tenantOption,
    env: { type: 'string', description: 'only test or only live (default: both)' },
    ...operatorOptions,
    json: jsonOption,
  },
  async run({ values }) {
    const by = { kind: 'operator', tenant_id: parseUuid('tenant', values.tenant) } as const
    const chosen = values.env === undefined ? environments : [parseEnvironment(values.env)]
    const record = asOperator('installation.webhook_secret_rotated', values)
    const secrets = await withContext(async (ctx) => {
      const rotated: { environment: string; secret: string }[] = []
      for (const environment of chosen)
        rotated.push({ environment, secret: await rotateWebhookSecret(ctx, { by, environment, record }) })
      return rotated
    })
    const ofTest = secrets.find(({ environment }) => environment === 'test')
    if (ofTest !== undefined) updateDevSecret(defaultFolder, by.tenant_id, ofTest.secret)
    printResult(
      values,
      Object.fromEntries(
        secrets.map(({ environment, secret }) => [
          environment === 'test' ? 'webhook_secret' : 'live_webhook_secret',
          secret,
        ]),
      ),
      secrets.map(({ environment, secret }) => `${environment} webhook secret   ${secret}`),
    )
  },
})
