import { createInterface } from 'node:readline'
import {
  ApiError,
  ConnectionError,
  createClient,
  SealedResultError,
  sealing,
  StillPendingError,
  WebhookError,
  webhooks,
  type Client,
  type OperationName,
  type Verification,
} from '@vidimus/sdk'
import type { Asked, Outcome } from './program.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- what the behaviours give
type Given = any

/** The test program of `@vidimus/sdk`: does what it is asked on standard input, one line each, and reports the outcome. */
for await (const line of createInterface(process.stdin)) {
  const { client: options, do: action, with: given = {} }: Asked = JSON.parse(line)
  const outcome: Outcome = { pauses_ms: [], warnings: [] }
  try {
    if (action === 'verify') outcome.value = await verify(given)
    else if (action === 'open') outcome.value = await openSealed(given)
    else {
      const client = createClient({
        baseUrl: options.base_url,
        apiKey: options.api_key ?? undefined,
        timeoutMs: options.timeout_ms,
        retries: options.retries,
        onWarning: (warning) => void outcome.warnings.push(warning),
        sleep: async (ms) => void outcome.pauses_ms.push(Math.round(ms)),
      })
      outcome.value = await act(client, action, given)
    }
  } catch (error) {
    outcome.error = describe(error)
  }
  process.stdout.write(`${JSON.stringify(outcome)}\n`)
}

async function act(
  { verifications, devices, ...client }: Client,
  action: string,
  given: Given,
): Promise<unknown> {
  const { id, body, options = {} } = given
  const { idempotency_key, created_after, created_before, ...others } = options
  const listOptions = { ...others, createdAfter: created_after, createdBefore: created_before }
  const actions: Record<string, () => Promise<unknown>> = {
    connect: async () => undefined,
    create: async () => {
      const verification = await verifications.create(body, { ...others, idempotencyKey: idempotency_key })
      return { verification, page: verifications.pageUrl(verification) }
    },
    retrieve: async () => {
      const verification = await verifications.retrieve(id)
      return { verification, page: verifications.pageUrl(verification) }
    },
    list: () => verifications.list(listOptions),
    list_all: async () => {
      const all = []
      for await (const each of verifications.listAll(listOptions)) all.push(each)
      return all
    },
    cancel: () => verifications.cancel(id),
    compare: () => verifications.compare(id, body),
    redeem: () => verifications.redeem(id, body.response_code),
    delete: () => verifications.delete(id),
    status: () => verifications.status(id),
    wait: () =>
      verifications.waitForCompletion(id, { timeoutMs: given.timeout_ms, intervalMs: given.interval_ms }),
    templates: () => client.templates.list(),
    usage: () => client.usage.retrieve(),
    create_device: () => devices.create(body),
    list_devices: () => devices.list(),
    update_device: () => devices.update(id, body),
    revoke_device: () => devices.revoke(id),
    create_endpoint: () => client.webhookEndpoints.create(body),
    update_endpoint: () => client.webhookEndpoints.update(id, body),
    rotate_secret: () => client.webhookEndpoints.rotateSecret(id),
    delete_endpoint: () => client.webhookEndpoints.delete(id),
    export_config: () => client.config.export(),
    apply_config: () => client.config.apply(body, options),
    call: () => call(client, given),
  }
  return actions[action]?.() ?? Promise.reject(new Error(`There is no action ${action}.`))
}

function call(
  { call: send }: Pick<Client, 'call'>,
  { operation, params = [], query, body }: Given,
): Promise<unknown> {
  const input = { ...(params[0] !== undefined && { key: params[0] }), query, body }
  return send(operation as OperationName, input as never)
}

async function verify({ body, headers, secret, now, tolerance_seconds }: Given): Promise<unknown> {
  const event = await webhooks.verify({
    body: typeof body === 'object' ? Buffer.from(body.base64, 'base64') : body,
    headers,
    secret: secret ?? undefined,
    now,
    toleranceSeconds: tolerance_seconds,
  })
  return { ...event, raw: event }
}

async function openSealed({ verification, keys }: Given): Promise<unknown> {
  return sealing.openResult<Verification>(verification, keys)
}

function describe(error: unknown): NonNullable<Outcome['error']> {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof ApiError) {
    const { code, status, requestId, retryAfterSeconds, help } = error
    return {
      kind: 'api',
      message,
      code,
      status,
      request_id: requestId,
      retry_after_seconds: retryAfterSeconds,
      help,
    }
  }
  if (error instanceof WebhookError) return { kind: 'webhook', message, reason: error.reason }
  if (error instanceof SealedResultError) return { kind: 'sealed', message, reason: error.reason }
  if (error instanceof ConnectionError) return { kind: 'connection', message }
  if (error instanceof StillPendingError) return { kind: 'still_pending', message }
  return { kind: error instanceof TypeError ? 'argument' : 'unexpected', message }
}
