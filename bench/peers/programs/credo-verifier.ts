import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  Agent,
  ConsoleLogger,
  Kms,
  LogLevel,
  X509Module,
  type AgentDependencies,
  type DcqlQuery,
} from '@credo-ts/core'
import { OpenId4VcModule } from '@credo-ts/openid4vc'
import pg from 'pg'
import { createKeyManagement } from './credo-keys.ts'
import { createPostgresStorage } from './credo-storage.ts'
import { readSettings, reportReady } from './program.ts'

/** A Credo verifier over HTTP with its records in PostgreSQL. `POST /requests` creates a request and returns its link for a wallet. */
const { database_url, poolSize } = readSettings()
const { TRUSTED_CERTIFICATES = '', DCQL_QUERY = '{}' } = process.env
const host = 'verifier.example'
const baseUrl = `https://${host}`
const query: DcqlQuery = JSON.parse(DCQL_QUERY)

const agent = new Agent({
  config: { logger: new ConsoleLogger(LogLevel.off), autoUpdateStorageOnStartup: true },
  dependencies: agentDependencies(),
  modules: {
    storage: createPostgresStorage(new pg.Pool({ connectionString: database_url, max: poolSize })),
    keys: new Kms.KeyManagementModule({ backends: [createKeyManagement()] }),
    x509: new X509Module({ trustedCertificates: TRUSTED_CERTIFICATES.split(',') }),
    openid4vc: new OpenId4VcModule({ verifier: { baseUrl, authorizationRequestExpirationInSeconds: 3600 } }),
  },
})
await agent.initialize()
const { verifierId } = await agent.openid4vc.verifier.createVerifier()
const certificate = await createCertificate()
const { app } = agent.modules.openid4vc.config

const server = createServer((request, response) => {
  if (request.url !== '/requests') return app(request, response)
  createRequest().then(
    (wallet_uri) => response.end(JSON.stringify({ wallet_uri })),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})
// As long as a client may keep a connection to Fastify, so that neither side loses one on a busy machine.
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => {
  // A TCP server has a port.
  const { port } = server.address() as AddressInfo
  reportReady(`http://127.0.0.1:${port}`)
})

async function createRequest(): Promise<string> {
  const { authorizationRequest } = await agent.openid4vc.verifier.createAuthorizationRequest({
    verifierId,
    requestSigner: { method: 'x5c', x5c: [certificate], clientIdPrefix: 'x509_hash' },
    responseMode: 'direct_post.jwt',
    dcql: { query },
  })
  return authorizationRequest
}

async function createCertificate() {
  const key = await agent.kms.createKey({ type: { kty: 'EC', crv: 'P-256' } })
  const authorityKey = Kms.PublicJwk.fromPublicJwk(key.publicJwk)
  const created = await agent.x509.createCertificate({
    authorityKey,
    issuer: { commonName: 'A verifier', countryName: 'UT' },
    validity: { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 86_400_000) },
    extensions: { subjectAlternativeName: { name: [{ type: 'dns', value: host }] } },
  })
  created.keyId = key.keyId
  return created
}

/** The platform's parts of an agent. This one has no file system and makes no requests. */
function agentDependencies(): AgentDependencies {
  const refuse = async (): Promise<never> => {
    throw new Error('This agent has no file system and makes no requests.')
  }
  class NoFileSystem {
    readonly dataPath = ''
    readonly cachePath = ''
    readonly tempPath = ''
    exists = async () => false
    createDirectory = refuse
    copyFile = refuse
    write = refuse
    read = refuse
    delete = refuse
    downloadToFile = refuse
  }
  // Only DIDComm, which is not installed, opens WebSockets.
  const WebSocketClass = WebSocket as unknown as AgentDependencies['WebSocketClass']
  return { FileSystem: NoFileSystem, EventEmitterClass: EventEmitter, fetch: refuse, WebSocketClass }
}
