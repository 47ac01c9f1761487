import type { Connection } from './send.ts'
import type {
  ChangeWebhookEndpoint,
  CreateWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEndpointSecret,
} from './types.ts'
import type { CallOptions } from './verifications.ts'

export function createWebhookEndpointsApi({ call }: Connection, bearer: string) {
  const path = '/v1/webhook_endpoints'
  const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`
  return {
    /** Creates an endpoint. The secret is shown only once: if the response is lost, delete the endpoint and create it again. */
    create(input: CreateWebhookEndpoint, { signal }: CallOptions = {}): Promise<WebhookEndpointSecret> {
      return call({ method: 'POST', path, bearer, body: input, retry: 'unless_lost', signal })
    },

    /** Lists all endpoints of the key's environment, newest first. */
    list({ signal }: CallOptions = {}): Promise<WebhookEndpointList> {
      return call({ method: 'GET', path, bearer, retry: 'always', signal })
    },

    retrieve(id: string, { signal }: CallOptions = {}): Promise<WebhookEndpoint> {
      return call({ method: 'GET', path: pathOf(id), bearer, retry: 'always', signal })
    },

    /** Changes the given members. `enabled: true` starts an endpoint again that was disabled. */
    update(id: string, input: ChangeWebhookEndpoint, { signal }: CallOptions = {}): Promise<WebhookEndpoint> {
      return call({ method: 'PATCH', path: pathOf(id), bearer, body: input, retry: 'always', signal })
    },

    delete(id: string, { signal }: CallOptions = {}): Promise<WebhookEndpoint> {
      return call({ method: 'DELETE', path: pathOf(id), bearer, retry: 'unless_lost', signal })
    },

    /** Creates a new secret, shown only once. Both sign for 24 hours. */
    rotateSecret(id: string, { signal }: CallOptions = {}): Promise<WebhookEndpointSecret> {
      return call({
        method: 'POST',
        path: `${pathOf(id)}/rotate_secret`,
        bearer,
        retry: 'unless_lost',
        signal,
      })
    },
  }
}
