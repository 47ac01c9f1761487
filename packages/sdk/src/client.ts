import { connect, type Connection, type ConnectOptions } from './send.ts'
import type { Device, DeviceList, RegisterDevice, RegisteredDevice, Usage } from './types.ts'
import { createVerificationsApi, type CallOptions, type Verifications } from './verifications.ts'

export type ClientOptions = ConnectOptions & {
  /** `vk_test_…` or `vk_live_…`. It belongs on a server, never in a page. */
  apiKey: string
}

export type Client = {
  verifications: Verifications
  devices: ReturnType<typeof createDevicesApi>
  usage: { retrieve(options?: CallOptions): Promise<Usage> }
}

/** A client for a merchant's server. */
export function createClient(options: ClientOptions): Client {
  const { apiKey } = options
  if (!/^vk_(?:test|live)_[!-~]+$/.test(apiKey)) {
    throw new TypeError('apiKey must begin with vk_test_ or vk_live_, without spaces or line breaks')
  }
  const connection = connect(options)
  return {
    verifications: createVerificationsApi(connection, async () => apiKey),
    devices: createDevicesApi(connection, apiKey),
    usage: {
      /** What was created today, of how much, and on the days before. */
      retrieve: ({ signal } = {}) =>
        connection.call({ method: 'GET', path: '/v1/usage', bearer: apiKey, repeat: 'always', signal }),
    },
  }
}

function createDevicesApi({ call }: Connection, bearer: string) {
  return {
    /** Registers a till or tablet. Its pairing code is shown this once; a lost answer leaves a device to be revoked. */
    create(input: RegisterDevice, { signal }: CallOptions = {}): Promise<RegisteredDevice> {
      return call({ method: 'POST', path: '/v1/devices', bearer, body: input, repeat: 'unless_lost', signal })
    },

    /** All devices, newest first. */
    list({ signal }: CallOptions = {}): Promise<DeviceList> {
      return call({ method: 'GET', path: '/v1/devices', bearer, repeat: 'always', signal })
    },

    /** Ends a device and every token it holds, at once. Doing it twice is doing it once. */
    revoke(id: string, { signal }: CallOptions = {}): Promise<Device> {
      const path = `/v1/devices/${encodeURIComponent(id)}`
      return call({ method: 'DELETE', path, bearer, repeat: 'always', signal })
    },
  }
}
