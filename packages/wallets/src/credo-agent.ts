import { EventEmitter } from 'node:events'
import { Agent, ConsoleLogger, Kms, LogLevel, X509Module, type AgentDependencies } from '@credo-ts/core'
import { OpenId4VcModule } from '@credo-ts/openid4vc'
import { createMemoryKeyStore } from './credo-keys.ts'
import { createMemoryStorage } from './credo-storage.ts'

export type AgentOptions = {
  fetch: typeof globalThis.fetch
  /** Roots of the certificates that the agent believes, DER. */
  trustedRoots: readonly Uint8Array[]
  /** For another side on this machine that has no certificate for TLS. */
  insecure?: boolean
}

/** An agent of the Credo framework that keeps all it knows in memory. */
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

/** What a Credo agent wants of its platform. This one keeps no files and opens no sockets. */
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
  // Node's own has other events than the one that Credo's types name; only DIDComm, which is not installed, opens one.
  const WebSocketClass = WebSocket as unknown as AgentDependencies['WebSocketClass']
  return { FileSystem: NoFileSystem, EventEmitterClass: EventEmitter, fetch, WebSocketClass }
}

async function refuseFileAccess(): Promise<never> {
  throw new Error('this agent keeps no files')
}
