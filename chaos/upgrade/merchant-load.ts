import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'

/** What clients were told, and every request that failed: no response, or any status but the expected one. */
export type LoadResult = {
  requests: number
  /** The verifications that were created and answered by a wallet. */
  completed: string[]
  /** The verifications that were created and wait for a wallet. */
  pending: string[]
  failed: string[]
}

export type MerchantLoad = { key: string; ready: () => string; result: LoadResult; abort: AbortSignal }

/** A merchant that creates verifications, has a wallet respond to every other one, reads them and lists the newest, until aborted. */
export async function runMerchant({ key, ready, result, abort }: MerchantLoad): Promise<void> {
  await using client = openClient(ready)
  for (let round = 0; !abort.aborted; round += 1) {
    const send = async (
      path: string,
      expected: number,
      body?: object,
      headers: Record<string, string> = {},
    ) => {
      result.requests += 1
      const response = await client
        .send(path, { key, headers, ...(body !== undefined && { body }) })
        .catch((error: Error) => ({ status: error.message, text: '' }))
      if (response.status === expected) return response.text
      result.failed.push(
        `${path.split('/').slice(0, 3).join('/')}: ${response.status} ${response.text.slice(0, 200)}`,
      )
      return undefined
    }
    const idempotency = { 'idempotency-key': randomUUID() }
    const created = await send('/v1/verifications', 201, { template: 'age_over_18' }, idempotency)
    if (created === undefined) continue
    const { id, wallet_uri }: { id: string; wallet_uri: string } = JSON.parse(created)
    const responded = round % 2 === 0 && (await send('/sandbox/responses', 200, { wallet_uri })) !== undefined
    const list = responded ? result.completed : result.pending
    list.push(id)
    const read = await send(`/v1/verifications/${id}`, 200)
    const expected = responded ? 'completed' : 'pending'
    if (read !== undefined && JSON.parse(read).status !== expected)
      result.failed.push(`a verification is not ${expected}: ${read.slice(0, 200)}`)
    await send('/v1/verifications?limit=5', 200)
  }
}

type ClientRequest = { key: string; body?: object; headers: Record<string, string> }

/** Uses one connection until a response closes it, then one to a process that is ready. */
function openClient(ready: () => string) {
  let connection: { agent: Agent; address: string } | undefined
  const close = () => {
    connection?.agent.destroy()
    connection = undefined
  }
  return {
    async send(
      path: string,
      { key, body, headers }: ClientRequest,
    ): Promise<{ status: number; text: string }> {
      connection ??= { agent: new Agent({ keepAlive: true, maxSockets: 1 }), address: ready() }
      const { agent, address } = connection
      try {
        const { keep, ...response } = await call(agent, `${address}${path}`, {
          body,
          headers: {
            ...headers,
            authorization: `Bearer ${key}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
        })
        if (!keep) close()
        return response
      } catch (error) {
        close()
        throw error
      }
    },
    async [Symbol.asyncDispose]() {
      close()
    },
  }
}

function call(
  agent: Agent,
  url: string,
  { body, headers }: { body: object | undefined; headers: Record<string, string> },
) {
  return new Promise<{ status: number; text: string; keep: boolean }>((resolve, reject) => {
    const sent = request(url, { agent, headers, method: body === undefined ? 'GET' : 'POST' }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          keep: response.headers.connection !== 'close',
        }),
      )
      response.on('error', reject)
    })
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })
}
