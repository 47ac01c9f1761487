import { createCallOperation, type CallOperation } from './call-operation.ts'
import { createConfigApi } from './config.ts'
import { connect, type Connection, type ConnectOptions } from './send.ts'
import type {
  ChangeDevice,
  Device,
  DeviceList,
  RegisterDevice,
  RegisteredDevice,
  RenewPairingCode,
  UsableTemplateList,
  Usage,
} from './types.ts'
import { createWebhookEndpointsApi } from './webhook-endpoints.ts'
import { createVerificationsApi, type CallOptions, type Verifications } from './verifications.ts'

export type ClientOptions = ConnectOptions & {
  /** `vk_test_…` or `vk_live_…`. Keep it on a server, never in a web page. Undefined, as of a variable that is not set, is refused. */
  apiKey: string | undefined
}

export type Client = {
  verifications: Verifications
  devices: ReturnType<typeof createDevicesApi>
  config: ReturnType<typeof createConfigApi>
  webhookEndpoints: ReturnType<typeof createWebhookEndpointsApi>
  templates: { list(options?: CallOptions): Promise<UsableTemplateList> }
  usage: { retrieve(options?: CallOptions): Promise<Usage> }
  call: CallOperation
}

/** Creates a client for a merchant's server. */
export function createClient(options: ClientOptions): Client {
  const { apiKey } = options
  if (apiKey === undefined || !/^vk_(?:test|live)_[!-~]+$/.test(apiKey)) {
    throw new TypeError(
      'apiKey must start with vk_test_ or vk_live_ and have no spaces or line breaks. Is the environment variable set?',
    )
  }
  const connection = connect(options)
  return {
    verifications: createVerificationsApi(connection, async () => apiKey),
    devices: createDevicesApi(connection, apiKey),
    config: createConfigApi(connection, apiKey),
    webhookEndpoints: createWebhookEndpointsApi(connection, apiKey),
    templates: {
      /** The templates that you can create verifications with. */
      list: ({ signal } = {}) =>
        connection.call({ method: 'GET', path: '/v1/templates', bearer: apiKey, retry: 'always', signal }),
    },
    usage: {
      /** Today's usage and quota, and the usage of previous days. */
      retrieve: ({ signal } = {}) =>
        connection.call({ method: 'GET', path: '/v1/usage', bearer: apiKey, retry: 'always', signal }),
    },
    call: createCallOperation(connection, apiKey),
  }
}

function createDevicesApi({ call }: Connection, bearer: string) {
  return {
    /** Registers a till or tablet. The pairing code is shown only once: if the response is lost, revoke the device and register again. */
    create(input: RegisterDevice, { signal }: CallOptions = {}): Promise<RegisteredDevice> {
      return call({ method: 'POST', path: '/v1/devices', bearer, body: input, retry: 'unless_lost', signal })
    },

    /** Lists all devices, newest first. */
    list({ signal }: CallOptions = {}): Promise<DeviceList> {
      return call({ method: 'GET', path: '/v1/devices', bearer, retry: 'always', signal })
    },

    /** Renames a device or changes its templates. Members that you omit stay unchanged. */
    update(id: string, change: ChangeDevice, { signal }: CallOptions = {}): Promise<Device> {
      const path = `/v1/devices/${encodeURIComponent(id)}`
      return call({ method: 'PATCH', path, bearer, body: change, retry: 'always', signal })
    },

    /**
     * Creates a new pairing code for a device that must be paired again. Its tokens stop working immediately. If the response is
     * lost, call it again.
     */
    renewPairingCode(
      id: string,
      input: RenewPairingCode = {},
      { signal }: CallOptions = {},
    ): Promise<RegisteredDevice> {
      const path = `/v1/devices/${encodeURIComponent(id)}/pairing-code`
      return call({ method: 'POST', path, bearer, body: input, retry: 'always', signal })
    },

    /** Revokes a device and all of its tokens immediately. Idempotent. */
    revoke(id: string, { signal }: CallOptions = {}): Promise<Device> {
      const path = `/v1/devices/${encodeURIComponent(id)}`
      return call({ method: 'DELETE', path, bearer, retry: 'always', signal })
    },
  }
}
