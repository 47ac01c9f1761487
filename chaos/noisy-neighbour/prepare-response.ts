import { findPersona, respond, type Issuer, type Wallet } from '@vidimus/sandbox'
import { bearer, type HttpResult, type HttpClient } from './http-client.ts'

export type PrepareResponse = {
  client: HttpClient
  key: string
  issuer: Issuer
  /** The body of `POST /v1/verifications`. */
  creation: object
  alterations?: Wallet['alterations']
}

export type PreparedResponse = {
  created: HttpResult
  fetched: HttpResult | undefined
  /** Posts the wallet response; undefined if the verification was not created or its request object not served. */
  post: (() => Promise<HttpResult>) | undefined
}

/** Creates a verification and has the wallet fetch its request object and build a response, without sending it. */
export async function prepareResponse({
  client,
  key,
  issuer,
  creation,
  alterations,
}: PrepareResponse): Promise<PreparedResponse> {
  const created = await client.call({
    method: 'POST',
    path: '/v1/verifications',
    headers: bearer(key),
    body: JSON.stringify(creation),
  })
  if (created.status !== 201) return { created, fetched: undefined, post: undefined }

  const now = new Date()
  const persona = findPersona('adult')
  const credentials = persona?.credentials(now).filter(({ format }) => format === 'dc+sd-jwt') ?? []
  let fetched: HttpResult | undefined
  let form: { path: string; body: string } | undefined
  await respond({
    wallet: { issuer, credentials, ...(alterations !== undefined && { alterations }) },
    wallet_uri: JSON.parse(created.text).wallet_uri,
    fetch: async (url, init) => {
      const { pathname: path } = new URL(url)
      if (path.startsWith('/wallet/response/')) {
        form = { path, body: init.body ?? '' }
        return new Response('{}')
      }
      const { redirect: _, ...call } = init
      const response = (fetched = await client.call({ path, ...call }))
      return {
        status: response.status,
        headers: { get: (name) => String(response.headers[name] ?? '') },
        text: async () => response.text,
      }
    },
    now: () => new Date(),
    sleep: async () => {},
  })
  const ready = form
  const post =
    ready &&
    (() =>
      client.call({
        method: 'POST',
        path: ready.path,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: ready.body,
      }))
  return { created, fetched, post }
}
