import type { CreateClient } from '../src/holder/openid-provider/clients/create-client.ts'

/** A client as a test creates it. */
export function clientInput({ by, ...more }: Pick<CreateClient, 'by'> & Partial<CreateClient>): CreateClient {
  return {
    by,
    environment: 'test',
    name: 'Web shop',
    redirect_uris: ['https://shop.example/callback'],
    templates: ['age_over_18'],
    authentication: 'secret',
    id_token_algorithm: 'RS256',
    cross_device: false,
    pkce_required: true,
    ...more,
  }
}
