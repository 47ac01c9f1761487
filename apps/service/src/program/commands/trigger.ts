import { CreateVerification, VerificationStatus } from '@vidimus/contract'
import { z } from 'zod'
import { callForJson, callService, findService, serviceOptions } from './call-service.ts'
import { command, CommandError, printResult, UsageError } from './command.ts'
import { describeOptions, jsonOption, parseChoice } from './options.ts'
import { respondRemotely } from './respond-remotely.ts'

/** Who responds by default. Nobody: it is cancelled, which ends it as its time would. */
const outcomes = { completed: 'adult', failed: 'declines', expired: null } as const

export const triggerCommand = command({
  positionals: ['completed|failed|expired'],
  options: {
    ...describeOptions(CreateVerification, ['purpose', 'webhook_url']),
    template: { type: 'string', description: 'what to ask for (default: age_over_18)' },
    persona: { type: 'string', description: 'who responds, one of `vidimus wallet personas`' },
    fault: { type: 'string', description: 'what their wallet does wrong, one of `vidimus wallet faults`' },
    ...serviceOptions,
    json: jsonOption,
  },
  async run({ values, positionals: [outcome = ''] }) {
    const defaultPersona = parseChoice('The outcome', outcome, outcomes)
    const service = findService(values)
    if (!service.key.startsWith('vk_test_'))
      throw new UsageError('The key must begin with vk_test_: only test verifications can be triggered')
    const { template = 'age_over_18', purpose = 'vidimus trigger', webhook_url } = values
    const created = await callForJson(service, '/v1/verifications', {
      method: 'POST',
      json: { template, purpose, webhook_url },
      schema: z.object({ id: z.string(), wallet_uri: z.string() }),
    })
    const persona = values.persona ?? (values.fault === undefined ? defaultPersona : 'adult')
    if (persona === null)
      await callService(service, `/v1/verifications/${created.id}/cancel`, { method: 'POST' })
    else {
      const { fault } = values
      const request = { wallet_uri: created.wallet_uri, persona, fault }
      const { http_status, complaints = [] } = await respondRemotely(request, service.url)
      if (http_status === undefined)
        throw new CommandError(`The wallet did not respond: ${complaints.join(' ')}`)
    }
    const { status } = await callForJson(service, `/v1/verifications/${created.id}/status`, {
      schema: VerificationStatus,
    })
    printResult(values, { id: created.id, status }, [`${created.id}  ${status}`])
    if (status !== outcome)
      throw new CommandError(`It is ${status}, not ${outcome}: choose another --persona or --fault.`)
  },
})
