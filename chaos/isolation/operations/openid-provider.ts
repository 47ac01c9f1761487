import { randomBytes, randomUUID } from 'node:crypto'
import {
  deleteSecrets,
  endNewestSecret,
  endSecretWithDay,
  readNewestSecret,
  readWorkingSecretPage,
  removeRedirectUris,
} from '../../../apps/service/src/holder/openid-provider/clients/secret-store.ts'
import {
  clearProblem,
  countClients,
  lockClient,
  readClient,
  readClientNames,
  readClients,
  readClientsWithTemplate,
  readClientWithHashes,
  updateClient,
  writeProblem,
  type ClientRow,
} from '../../../apps/service/src/holder/openid-provider/clients/store.ts'
import {
  deleteReplacedKeys,
  hasPendingKey,
  insertKeys,
  lockIssuer,
  readIssuer,
  readPublicKeys,
  readSigningKey,
} from '../../../apps/service/src/holder/openid-provider/issuer/store.ts'
import {
  attachVerification,
  beginAuthorization,
  findAuthorization,
  releaseRequest,
  type NewAuthorization,
} from '../../../apps/service/src/holder/openid-provider/store.ts'
import { sql } from '../../../apps/service/src/engine/db/sql.ts'
import { dayOfVerificationId } from '../../../apps/service/src/engine/basics/ids.ts'
import { expectEqual } from '../expect-equal.ts'
import { expectUnchanged } from '../expect-unchanged.ts'
import type { IsolationFixture } from '../fixture/isolation-fixture.ts'

/**
 * Calls the stores of the OpenID provider for one tenant with the ids of another. Its endpoints are not routes of the API, and most use
 * cases check the tenant more than once.
 */
export async function queryOpenIdStores(fixture: IsolationFixture): Promise<string[]> {
  const { service, victim } = fixture
  const { db } = service.ctx
  const theirs = { tenant_id: victim.merchant.tenant_id, id: victim.openid_client }
  await writeProblem(db, { ...theirs, problem: 'Theirs', pause_seconds: 0 })
  const authorization = newAuthorization(fixture, theirs.tenant_id)
  const withoutVerification = newAuthorization(fixture, theirs.tenant_id)
  for (const each of [authorization, withoutVerification]) await beginAuthorization(db, each)
  await attachVerification(db, { ...authorization, ...verificationOf(fixture) })
  const client = await readClient(db, theirs)
  if (client === undefined) return ['the victim has no client']
  const faults = [
    ...(await readForeignRows(fixture, authorization.id)),
    ...(await readIssuers(fixture)),
    ...(await expectUnchanged(service, () =>
      writeForeignRows(fixture, client, { authorization, withoutVerification }),
    )),
  ]
  // Later parts find what they would find without this one.
  await db.execute(
    sql`delete from openid_authorizations where id in (${authorization.id}, ${withoutVerification.id})`,
  )
  await clearProblem(db, theirs)
  return faults
}

function verificationOf({ victim }: IsolationFixture): { verification_id: string; verification_day: string } {
  const { id: verification_id } = victim.verifications.pending
  return { verification_id, verification_day: dayOfVerificationId(verification_id) ?? '' }
}

/** An authorization of the victim's client. */
function newAuthorization({ victim }: IsolationFixture, tenant_id: string): NewAuthorization {
  return {
    id: randomBytes(16).toString('base64url'),
    tenant_id,
    client_id: victim.openid_client,
    request_hash: randomBytes(32),
    browser_hash: randomBytes(32),
    redirect_uri: 'https://shop.example/callback',
    response_mode: 'query',
    state: null,
    nonce: null,
    code_challenge: 'c'.repeat(43),
    ends_after_seconds: 600,
  }
}

async function readForeignRows(
  { service, victim, otherTenant }: IsolationFixture,
  authorization_id: string,
): Promise<string[]> {
  const { db } = service.ctx
  const { tenant_id } = otherTenant.merchant
  const foreign = { tenant_id, id: victim.openid_client }
  const own = await readClients(db, { tenant_id, environment: null })
  const [key = ''] = own[0]?.templates ?? []
  return [
    ...expectEqual(
      "another's client",
      [
        await readClient(db, foreign),
        await readClientWithHashes(db, foreign),
        await db.transaction((tx) => lockClient(tx, foreign)),
        await readNewestSecret(db, { tenant_id, client_id: foreign.id }),
        await findAuthorization(db, { tenant_id, id: authorization_id }),
      ],
      [undefined, undefined, undefined, undefined, undefined],
    ),
    ...expectEqual(
      "names of another's clients",
      await readClientNames(db, { tenant_id, ids: [foreign.id] }),
      [],
    ),
    ...expectEqual('the number of clients', await countClients(db, tenant_id, 1000), own.length),
    ...expectEqual(
      'the number of clients with a template',
      (await readClientsWithTemplate(db, { tenant_id, key, limit: 1000 })).length,
      own.filter(({ templates }) => templates.includes(key)).length,
    ),
  ]
}

/** Each tenant has its own issuer and keys, whichever comes first in a table. */
async function readIssuers({ service, victim, otherTenant, newTenant }: IsolationFixture): Promise<string[]> {
  const { db } = service.ctx
  const tenants = [victim.merchant.tenant_id, otherTenant.merchant.tenant_id]
  const pending = { id: randomUUID(), algorithm: 'RS256', public_jwk: {}, sealed: Buffer.alloc(0) } as const
  const faults: string[] = []
  const keysOf = new Map<string, string[]>()
  for (const tenant_id of tenants) {
    const keys = (await readPublicKeys(db, tenant_id)).map(({ id }) => id)
    keysOf.set(tenant_id, keys)
    const signing = await readSigningKey(db, { tenant_id, algorithm: 'RS256' })
    faults.push(
      ...expectEqual('the issuer', (await readIssuer(db, tenant_id))?.tenant_id, tenant_id),
      ...expectEqual('the number of keys', keys.length, 2),
      ...expectEqual('the signing key is published', keys.includes(signing?.id ?? ''), true),
    )
  }
  const [first = [], second = []] = keysOf.values()
  faults.push(
    ...expectEqual(
      'keys of two issuers',
      first.filter((id) => second.includes(id)),
      [],
    ),
    ...expectEqual('an issuer', await db.transaction((tx) => lockIssuer(tx, newTenant.tenant_id)), false),
  )
  const rollBack = new Error('roll back')
  try {
    await db.transaction(async (tx) => {
      await insertKeys(tx, { tenant_id: tenants[0] ?? '', keys: [pending], delay_seconds: 600 })
      faults.push(...expectEqual("another's new key", await hasPendingKey(tx, tenants[1] ?? ''), false))
      throw rollBack
    })
  } catch (error) {
    if (error !== rollBack) throw error
  }
  return faults
}

/** Writes for one tenant with another's ids, which must change nothing. */
async function writeForeignRows(
  fixture: IsolationFixture,
  theirs: ClientRow,
  { authorization, withoutVerification }: Record<'authorization' | 'withoutVerification', NewAuthorization>,
): Promise<string[]> {
  const { service, otherTenant } = fixture
  const { db } = service.ctx
  const { tenant_id } = otherTenant.merchant
  const key = { tenant_id, id: theirs.id }
  const secret = { tenant_id, client_id: theirs.id }
  const secrets = await readWorkingSecretPage(db, { after: undefined, limit: 1000 })
  const { id = '' } = secrets.find(({ client_id }) => client_id === theirs.id) ?? {}
  await updateClient(db, key, { ...theirs, name: 'Changed' })
  await writeProblem(db, { ...key, problem: 'Ours', pause_seconds: 0 })
  await clearProblem(db, key)
  await removeRedirectUris(db, { ...key, uris: theirs.redirect_uris })
  await endSecretWithDay(db, { tenant_id, id, day: '2999-01-01' })
  await endSecretWithDay(db, { tenant_id, id, day: undefined })
  await endNewestSecret(db, { ...secret, overlap_seconds: 60 })
  await deleteSecrets(db, { ...secret, which: 'all' })
  const ours = newAuthorization(fixture, tenant_id)
  const { request_hash } = authorization
  const [own] = await readClients(db, { tenant_id, environment: null })
  const begun = [
    await beginAuthorization(db, ours),
    await beginAuthorization(db, { ...ours, client_id: own?.id ?? '', request_hash }),
  ]
  const verification = verificationOf(fixture)
  await releaseRequest(db, { tenant_id, request_hash, code_seconds: 60, ...verification })
  await attachVerification(db, { ...withoutVerification, ...verification, tenant_id })
  // No tenant has replaced a key.
  await deleteReplacedKeys(db, { after_hours: 0 })
  return expectEqual("an authorization of another's client or request", begun, [undefined, undefined])
}
