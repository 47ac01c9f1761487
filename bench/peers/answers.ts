import { fileURLToPath } from 'node:url'
import { openSandboxIssuer } from '../../apps/service/src/trust/sandbox/open-sandbox.ts'
import { startProcesses } from '../../apps/service/test/processes/processes.ts'
import { exportAnchors } from '../../packages/sandbox/src/issuer/create-issuer.ts'
import type { AuthorizationRequest, Issuer, Wallet } from '../../packages/sandbox/src/index.ts'
import { findPersona } from '../../packages/sandbox/src/personas.ts'
import { buildResponse } from '../../packages/sandbox/src/wallet/build-response.ts'
import type { Bench } from '../figure.ts'
import type { Load } from '../load.ts'
import { load } from '../run-load.ts'
import { prepareResponses } from '../wallet.ts'
import { compareSides, measureSide, type Side } from './compare-sides.ts'
import { installPeers } from './install.ts'
import { createPeerDatabase, openBenchConnections } from './peer-database.ts'
import { startProgram } from './start-program.ts'

const rounds = 3
/** As many as take each side a few seconds. */
const responsesPerRound = { ours: 1000, credo: 300 }

/** Neither side has a status list to look up: Credo would fetch and verify it for every answer, the service keeps it. */
const alterations: NonNullable<Wallet['alterations']> = {
  issuer_payload: ({ status: _, ...claims }) => claims,
}

/** What `age_over_18` asks of a PID in the format that is presented. */
const dcqlQuery = {
  credentials: [
    {
      id: 'pid_sd_jwt',
      format: 'dc+sd-jwt',
      meta: { vct_values: ['urn:eudi:pid:1', 'urn:eudi:pid:de:1'] },
      claims: [
        { id: 'a18', path: ['age_equal_or_over', '18'] },
        { id: 'bd', path: ['birthdate'] },
      ],
      claim_sets: [['a18'], ['bd']],
    },
  ],
}

/** Encrypted answers of a wallet with an SD-JWT VC, verified and stored: by the service, and by a verifier of the Credo framework. */
export const responses: Bench = async () => {
  installPeers()
  await using ours = await openOurs()
  await using credo = await openCredo(ours.issuer)
  // The first round of each is its warm-up.
  await ours.measure()
  await credo.measure()
  return await compareSides({
    name: 'peers.answers',
    operation: { one: 'response', many: 'responds' },
    rounds,
    ours: ours.measure,
    peers: { credo: credo.measure },
  })
}

async function openOurs() {
  const service = await startProcesses(1, { environment: { LOG_LEVEL: 'error' } })
  const db = openBenchConnections(service.database_url)
  const merchant = await service.tenant({ daily_quota: 1_000_000 })
  const pid = service.processes[0]?.child.pid ?? 0
  const measure: Side = async () => {
    const prepared = await prepareResponses(service, merchant, responsesPerRound.ours, alterations)
    return measureSide({ db, pid, run: () => post(prepared) })
  }
  return {
    issuer: await openSandboxIssuer(service.ctx),
    measure,
    async [Symbol.asyncDispose]() {
      await db.close()
      await service[Symbol.asyncDispose]()
    },
  }
}

async function openCredo(issuer: Issuer) {
  const { db, url, [Symbol.asyncDispose]: closeDatabase } = await createPeerDatabase()
  const anchors = exportAnchors(issuer).map(({ certificate }) => Buffer.from(certificate).toString('base64'))
  const program = await startProgram({
    file: fileURLToPath(new URL('./programs/credo-verifier.ts', import.meta.url)),
    environment: {
      NODE_ENV: 'production',
      DATABASE_URL: url,
      DB_POOL_SIZE: '20',
      TRUSTED_CERTIFICATES: anchors.join(','),
      DCQL_QUERY: JSON.stringify(dcqlQuery),
    },
  })
  const measure: Side = async () => {
    const prepared = await prepareCredoResponses(program.port, issuer)
    return measureSide({ db, pid: program.pid, run: () => post(prepared) })
  }
  return {
    measure,
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]()
      await closeDatabase()
    },
  }
}

/** Answers to new requests of the Credo verifier, built in advance by the wallet and for the credential that the service gets. */
async function prepareCredoResponses(port: number, issuer: Issuer): Promise<Load> {
  const address = `http://127.0.0.1:${port}`
  const credentials = findPersona('adult')?.credentials(new Date()) ?? []
  const wallet: Wallet = {
    issuer,
    credentials: credentials.filter(({ format }) => format === 'dc+sd-jwt'),
    alterations,
  }
  const paths: string[] = []
  const forms: string[] = []
  for (let count = 0; count < responsesPerRound.credo; count += 1) {
    const created = await fetch(`${address}/requests`, { method: 'POST' })
    const { wallet_uri } = (await created.json()) as { wallet_uri: string } // the verifier's own format
    const request = await fetchRequest(address, wallet_uri)
    const { pathname, search } = new URL(request.response_uri)
    paths.push(pathname + search)
    forms.push(new URLSearchParams(await buildResponse(wallet, request, new Date())).toString())
  }
  return { port, connections: 32, seconds: 60, method: 'POST', paths, keys: [], forms, expect: 200 }
}

/** Reads a request without the sandbox wallet's checks: they are stricter than the specifications require of a verifier. */
async function fetchRequest(address: string, wallet_uri: string): Promise<AuthorizationRequest> {
  const { pathname } = new URL(new URL(wallet_uri).searchParams.get('request_uri') ?? '')
  const jwt = await (await fetch(`${address}${pathname}`)).text()
  const claims = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
  const { jwks, encrypted_response_enc_values_supported } = claims.client_metadata
  return {
    channel: 'redirect',
    client_id: claims.client_id,
    nonce: claims.nonce,
    state: claims.state,
    response_uri: claims.response_uri,
    dcql_query: claims.dcql_query,
    encryption: { jwk: jwks.keys[0], enc_values: encrypted_response_enc_values_supported },
    expires_at: claims.exp,
  }
}

async function post(prepared: Load) {
  const { count, rate } = await load(prepared)
  return { count, per_second: rate }
}
