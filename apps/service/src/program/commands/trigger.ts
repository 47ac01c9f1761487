import { setTimeout as sleep } from 'node:timers/promises'
import { CreateVerification, VerificationStatus } from '@vidimus/contract'
import { z } from 'zod'
import { callForJson, callService, findService, serviceOptions } from './call-service.ts'
import { command, CommandError, printMessage, printResult, UsageError } from './command.ts'
import { describeOptions, jsonOption, parseChoice } from './options.ts'
import { respondRemotely } from './respond-remotely.ts'

/** Who responds by default: nobody to one that runs out or is cancelled. */
const outcomes = { completed: 'adult', failed: 'declines', expired: null, cancelled: null } as const

/** The shortest that a verification can wait for a wallet. */
const ttl_seconds = 60
const pollInterval_ms = 1000

export const triggerCommand = command({
  positionals: ['completed|failed|expired|cancelled'],
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
      json: { template, purpose, webhook_url, ...(outcome === 'expired' && { ttl_seconds }) },
      schema: z.object({ id: z.string(), wallet_uri: z.string() }),
    })
    const persona =
      values.persona ?? (values.fault === undefined || defaultPersona === null ? defaultPersona : 'adult')
    if (outcome === 'cancelled')
      await callService(service, `/v1/verifications/${created.id}/cancel`, { method: 'POST' })
    else if (outcome === 'expired') printMessage(`It expires in ${ttl_seconds} seconds.`)
    if (persona !== null) {
      const { fault } = values
      const request = { wallet_uri: created.wallet_uri, persona, fault }
      const { http_status, complaints = [] } = await respondRemotely(request, service.url)
      if (http_status === undefined)
        throw new CommandError(`The wallet did not respond: ${complaints.join(' ')}`)
    }
    const readStatus = () =>
      callForJson(service, `/v1/verifications/${created.id}/status`, { schema: VerificationStatus })
    let { status } = await readStatus()
    for (let polls = 0; status === 'pending' && polls < 2 * ttl_seconds; polls += 1) {
      await sleep(pollInterval_ms)
      ;({ status } = await readStatus())
    }
    printResult(values, { id: created.id, status }, [`${created.id}  ${status}`])
    if (status !== (outcome === 'cancelled' ? 'expired' : outcome))
      throw new CommandError(`It is ${status}, not ${outcome}: choose another --persona or --fault.`)
  },
})
