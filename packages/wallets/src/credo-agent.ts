import { EventEmitter } from 'node:events'
import { Agent, ConsoleLogger, Kms, LogLevel, X509Module, type AgentDependencies } from '@credo-ts/core'
import { OpenId4VcModule } from '@credo-ts/openid4vc'
import { createMemoryKeyStore } from './credo-keys.ts'
import { createMemoryStorage } from './credo-storage.ts'

export type AgentOptions = {
  fetch: typeof globalThis.fetch
  /** Trusted root certificates, DER. */
  trustedRoots: readonly Uint8Array[]
  /** Allows http, for a peer on this machine without a TLS certificate. */
  insecure?: boolean
}

/** An agent of the Credo framework that stores everything in memory. */
export async function openCredoAgent({ fetch, trustedRoots, insecure = false }: AgentOptions) {
  const agent = new Agent({
    config: {
      logger: new ConsoleLogger(LogLevel.off),
      allowInsecureHttpUrls: insecure,
      autoUpdateStorageOnStartup: true,
    },
    dependencies: agentDependencies(fetch),
    modules: {
      storage: createMemoryStorage(),
      keys: new Kms.KeyManagementModule({ backends: [createMemoryKeyStore()] }),
      x509: new X509Module({
        trustedCertificates: trustedRoots.map((certificate) => Buffer.from(certificate).toString('base64')),
      }),
      openid4vc: new OpenId4VcModule(),
    },
  })
  await agent.initialize()
  return agent
}

/** The platform dependencies of a Credo agent. This one has no file system and opens no sockets. */
function agentDependencies(fetch: typeof globalThis.fetch): AgentDependencies {
  class NoFileSystem {
    readonly dataPath = ''
    readonly cachePath = ''
    readonly tempPath = ''
    exists = async () => false
    createDirectory = refuseFileAccess
    copyFile = refuseFileAccess
    write = refuseFileAccess
    read = refuseFileAccess
    delete = refuseFileAccess
    downloadToFile = refuseFileAccess
  }
  // Node's WebSocket has a different event type from the one in Credo's types. Only DIDComm, which is not installed, uses it.
  const WebSocketClass = WebSocket as unknown as AgentDependencies['WebSocketClass']
  return { FileSystem: NoFileSystem, EventEmitterClass: EventEmitter, fetch, WebSocketClass }
}

async function refuseFileAccess(): Promise<never> {
  throw new Error('This agent has no file system.')
}
