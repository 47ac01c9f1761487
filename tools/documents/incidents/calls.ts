import type { Installation } from './start-installation.ts'

export type Tenant = { TENANT: string; VIDIMUS_KEY: string }
/** What brings about each state that the blocks of a page name with `state=`. */
export type States = Record<string, () => Promise<void>>

export async function create(
  installation: Installation,
  tenant: Tenant,
  more: object = {},
): Promise<{ id: string; wallet_uri: string }> {
  const response = await call(installation, tenant, '/v1/verifications', {
    body: { template: 'age_over_18', ...more },
  })
  if (response.status !== 201) throw new Error(`creation: ${response.status} ${await response.text()}`)
  // A created verification, which the contract describes.
  return (await response.json()) as { id: string; wallet_uri: string }
}

export function call(
  { environment }: Installation,
  { VIDIMUS_KEY }: Tenant,
  path: string,
  { body, method = body === undefined ? 'GET' : 'POST' }: { body?: object; method?: string } = {},
): Promise<Response> {
  return fetch(`${environment['VIDIMUS_URL']}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${VIDIMUS_KEY}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}
