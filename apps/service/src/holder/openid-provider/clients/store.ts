import type { ClientAuthentication, Environment, IdTokenAlgorithm } from '@vidimus/contract'
import type { Db } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'

export type ClientRow = {
  id: string
  tenant_id: string
  environment: Environment
  name: string
  redirect_uris: string[]
  templates: string[]
  purpose: string | null
  authentication: ClientAuthentication
  id_token_algorithm: IdTokenAlgorithm
  /** The claim that pairwise subjects are derived from. Null: every verification has a subject of its own. */
  subject_claim: string | null
  /** Whether a wallet on another device may respond although people are recognised. */
  cross_device: boolean
  /** False: a request without PKCE is accepted if it has a nonce. */
  pkce_required: boolean
  created_by: string | null
  created_at: string
  /** The cell in the issuer's address. */
  issuer_cell: string
  /** Until then the secret before the newest one works too. */
  previous_secret_expires_at: string | null
  /** Why the last request of its site was refused. Null if one has succeeded since. */
  last_problem: string | null
  last_problem_at: string | null
}

/** What a change may set. */
export type ClientSettings = Pick<
  ClientRow,
  | 'name'
  | 'redirect_uris'
  | 'templates'
  | 'purpose'
  | 'id_token_algorithm'
  | 'subject_claim'
  | 'cross_device'
  | 'pkce_required'
>

export type ClientKey = { tenant_id: string; id: string }

const maxWorkingSecrets = 2

const columns = sql`
  c.id, c.tenant_id, c.environment, c.name, c.redirect_uris, c.templates, c.purpose, c.authentication, c.id_token_algorithm,
  c.subject_claim, c.cross_device, c.pkce_required, c.created_by, c.created_at, c.last_problem, c.last_problem_at,
  (select i.cell from openid_issuers i where i.tenant_id = c.tenant_id) as issuer_cell,
  (select max(s.expires_at) from openid_client_secrets s
   where s.client_id = c.id and s.expires_at > service_now()) as previous_secret_expires_at`

export type NewClient = ClientSettings &
  Pick<ClientRow, 'id' | 'tenant_id' | 'environment' | 'authentication' | 'created_by'>

export async function insertClient(tx: Db, client: NewClient): Promise<void> {
  await tx.execute(sql`
    insert into openid_clients (id, tenant_id, environment, name, redirect_uris, templates, purpose, authentication,
      id_token_algorithm, subject_claim, cross_device, pkce_required, created_by)
    values (${client.id}, ${client.tenant_id}, ${client.environment}, ${client.name}, ${client.redirect_uris}, ${client.templates},
      ${client.purpose}, ${client.authentication}, ${client.id_token_algorithm}, ${client.subject_claim}, ${client.cross_device},
      ${client.pkce_required}, ${client.created_by}::uuid)`)
}

/** Counts up to `max`. */
export async function countClients(tx: Db, tenant_id: string, max: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from (select from openid_clients where tenant_id = ${tenant_id} limit ${max}) counted`)
  return row?.count ?? 0
}

export async function readClient(
  db: Db,
  { tenant_id, id, environment = null }: ClientKey & { environment?: Environment | null | undefined },
): Promise<ClientRow | undefined> {
  const [row] = await db.query<ClientRow>(sql`
    select ${columns} from openid_clients c
    where c.tenant_id = ${tenant_id} and c.id = ${id} and (${environment}::text is null or c.environment = ${environment})`)
  return row
}

/** A client with the hexadecimal hashes of the secrets that work now. */
export async function readClientWithHashes(
  db: Db,
  { tenant_id, id }: ClientKey,
): Promise<(ClientRow & { hashes: string[] }) | undefined> {
  const [row] = await db.query<ClientRow & { hashes: string[] }>(sql`
    select ${columns}, array(
      select encode(s.hash, 'hex') from openid_client_secrets s
      where s.client_id = c.id and s.tenant_id = c.tenant_id and coalesce(s.expires_at > service_now(), true)
      limit ${maxWorkingSecrets}) as hashes
    from openid_clients c
    where c.tenant_id = ${tenant_id} and c.id = ${id}`)
  return row
}

export async function readClients(
  db: Db,
  { tenant_id, environment }: { tenant_id: string; environment: Environment | null },
): Promise<ClientRow[]> {
  return db.query<ClientRow>(sql`
    select ${columns} from openid_clients c
    where c.tenant_id = ${tenant_id} and (${environment}::text is null or c.environment = ${environment})
    order by c.created_at desc, c.id
    limit 1000`)
}

/** The clients that a member made. */
export async function readClientsOfMember(
  db: Db,
  { tenant_id, member_id }: { tenant_id: string; member_id: string },
): Promise<ClientRow[]> {
  return db.query<ClientRow>(sql`
    select ${columns} from openid_clients c
    where c.tenant_id = ${tenant_id} and c.created_by = ${member_id}
    order by c.created_at, c.id
    limit 1000`)
}

export async function updateClientMaker(
  tx: Db,
  { tenant_id, id }: ClientKey,
  created_by: string | null,
): Promise<void> {
  await tx.execute(sql`
    update openid_clients set created_by = ${created_by}::uuid where tenant_id = ${tenant_id} and id = ${id}`)
}

/** Makes other changes, rolls and deletions of this client wait. Undefined if the tenant has no such client. */
export async function lockClient(
  tx: Db,
  { tenant_id, id, environment = null }: ClientKey & { environment?: Environment | null | undefined },
): Promise<ClientRow | undefined> {
  const [row] = await tx.query<ClientRow>(sql`
    select ${columns} from openid_clients c
    where c.tenant_id = ${tenant_id} and c.id = ${id} and (${environment}::text is null or c.environment = ${environment})
    for update of c`)
  return row
}

/** Requires the lock of the client. */
export async function updateClient(tx: Db, { tenant_id, id }: ClientKey, to: ClientSettings): Promise<void> {
  await tx.execute(sql`
    update openid_clients
    set name = ${to.name}, redirect_uris = ${to.redirect_uris}, templates = ${to.templates}, purpose = ${to.purpose},
      id_token_algorithm = ${to.id_token_algorithm}, subject_claim = ${to.subject_claim}, cross_device = ${to.cross_device},
      pkce_required = ${to.pkce_required}
    where tenant_id = ${tenant_id} and id = ${id}`)
}

/** Deletes a client with its secrets and the sign-ins in progress. Undefined if the tenant has no such client. */
export async function deleteClientRow(
  tx: Db,
  { tenant_id, id, environment = null }: ClientKey & { environment?: Environment | null | undefined },
): Promise<{ name: string } | undefined> {
  const [row] = await tx.query<{ name: string }>(sql`
    delete from openid_clients
    where tenant_id = ${tenant_id} and id = ${id} and (${environment}::text is null or environment = ${environment})
    returning name`)
  return row
}

/** Notes why a request was refused, at most once in `pause_seconds`. Never waits for another transaction. */
export async function writeProblem(
  db: Db,
  { tenant_id, id, problem, pause_seconds }: ClientKey & { problem: string; pause_seconds: number },
): Promise<void> {
  await db.execute(sql`
    update openid_clients set last_problem = ${problem}, last_problem_at = service_now()
    where id in (
      select id from openid_clients
      where tenant_id = ${tenant_id} and id = ${id}
        and coalesce(last_problem_at < service_now() - make_interval(secs => ${pause_seconds}), true)
      for update skip locked)`)
}

export async function clearProblem(tx: Db, { tenant_id, id }: ClientKey): Promise<void> {
  await tx.execute(sql`
    update openid_clients set last_problem = null, last_problem_at = null
    where tenant_id = ${tenant_id} and id = ${id}`)
}

/** Those of the clients that the tenant has, in either environment. */
export async function readClientNames(
  db: Db,
  { tenant_id, ids }: { tenant_id: string; ids: readonly string[] },
): Promise<Pick<ClientRow, 'id' | 'name' | 'environment'>[]> {
  return db.query(sql`
    select id, name, environment from openid_clients
    where tenant_id = ${tenant_id} and id = any(${ids})
    limit ${ids.length}`)
}

/** Some of the tenant's clients in an environment. */
export async function readClientTemplates(
  tx: Db,
  { tenant_id, environment, limit }: { tenant_id: string; environment: Environment; limit: number },
): Promise<Pick<ClientRow, 'name' | 'environment' | 'templates'>[]> {
  return tx.query(sql`
    select name, environment, templates from openid_clients
    where tenant_id = ${tenant_id} and environment = ${environment}
    order by created_at, id
    limit ${limit}`)
}

/** Some of the tenant's clients, in either environment, that may ask with a template. */
export async function readClientsWithTemplate(
  tx: Db,
  { tenant_id, key, limit }: { tenant_id: string; key: string; limit: number },
): Promise<Pick<ClientRow, 'name' | 'environment'>[]> {
  return tx.query(sql`
    select name, environment from openid_clients
    where tenant_id = ${tenant_id} and ${key} = any(templates)
    order by created_at, id
    limit ${limit}`)
}
