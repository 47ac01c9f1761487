import { createHash, randomBytes } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { fastify, type FastifyRequest } from 'fastify'
import pg from 'pg'
import { readSettings, reportReady } from './program.ts'
import { apiKeys, auditEntries, idempotencyKeys, verifications, tenants, tenantUsage } from './tables.ts'

/**
 * `POST /v1/verifications` as most services are written: Fastify and Drizzle, a look-up of the API key, and then one
 * transaction for each request.
 */
const { database_url, poolSize } = readSettings()
const ttl_seconds = 300
const baseUrl = 'http://localhost:8080'

class RequestError extends Error {
  readonly statusCode: number

  constructor(statusCode: number, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}

type CreateBody = {
  template: string
  metadata?: Record<string, string>
  purpose?: string
  webhook_url?: string
  redirect_url?: string
}
const bodySchema = {
  type: 'object',
  required: ['template'],
  additionalProperties: false,
  properties: {
    template: { type: 'string', maxLength: 100 },
    metadata: { type: 'object', maxProperties: 20, additionalProperties: { type: 'string', maxLength: 500 } },
    purpose: { type: 'string', maxLength: 300 },
    webhook_url: { type: 'string', maxLength: 2048 },
    redirect_url: { type: 'string', maxLength: 2048 },
  },
}

const db = drizzle(new pg.Pool({ connectionString: database_url, max: poolSize }))
const app = fastify()

app.post<{ Body: CreateBody }>(
  '/v1/verifications',
  { schema: { body: bodySchema } },
  async (request, reply) => {
    const key = await authenticate(request)
    const response = await create(key, request.body, request.headers['idempotency-key'])
    return reply.code(201).type('application/json').send(response)
  },
)
reportReady(await app.listen({ host: '127.0.0.1', port: 0 }))

type Key = Awaited<ReturnType<typeof authenticate>>

async function authenticate(request: FastifyRequest) {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const [key] = await db
    .select({
      id: apiKeys.id,
      tenant_id: apiKeys.tenant_id,
      environment: apiKeys.environment,
      scopes: apiKeys.scopes,
      expires_at: apiKeys.expires_at,
      daily_quota: tenants.daily_quota,
    })
    .from(apiKeys)
    .innerJoin(tenants, eq(tenants.id, apiKeys.tenant_id))
    .where(and(eq(apiKeys.hash, sha256(token)), isNull(apiKeys.revoked_at)))
    .limit(1)
  if (key === undefined || (key.expires_at !== null && key.expires_at <= new Date()))
    throw new RequestError(401, 'The API key is not valid.')
  if (!key.scopes.includes('verifications:create')) throw new RequestError(403, 'The API key lacks a scope.')
  return key
}

async function create(key: Key, body: CreateBody, idempotencyKey: unknown): Promise<string> {
  const body_hash = sha256(JSON.stringify(body))
  return db.transaction(async (tx) => {
    const { tenant_id, environment } = key
    if (typeof idempotencyKey === 'string') {
      const [earlier] = await tx
        .select({ body_hash: idempotencyKeys.body_hash, response: idempotencyKeys.response })
        .from(idempotencyKeys)
        .where(and(eq(idempotencyKeys.tenant_id, tenant_id), eq(idempotencyKeys.key, idempotencyKey)))
      if (earlier !== undefined) {
        if (!earlier.body_hash.equals(body_hash))
          throw new RequestError(409, 'The Idempotency-Key was used before.')
        return earlier.response
      }
    }

    const created_at = new Date()
    // Locks the tenant's row until the commit, so that the quota is exact.
    const [usage] = await tx
      .insert(tenantUsage)
      .values({ tenant_id, day: created_at.toISOString().slice(0, 10), used: 1 })
      .onConflictDoUpdate({
        target: [tenantUsage.tenant_id, tenantUsage.day],
        set: { used: sql`${tenantUsage.used} + 1` },
      })
      .returning({ used: tenantUsage.used })
    if (usage === undefined || usage.used > key.daily_quota)
      throw new RequestError(429, 'The daily quota is used up.')

    const id = `vs_${randomBytes(24).toString('base64url')}`
    const expires_at = new Date(created_at.getTime() + ttl_seconds * 1000)
    await tx
      .insert(verifications)
      .values({ ...body, id, tenant_id, environment, seed: randomBytes(32), created_at, expires_at })
    const response = render(id, body, { created_at, expires_at })
    if (typeof idempotencyKey === 'string')
      await tx.insert(idempotencyKeys).values({ tenant_id, key: idempotencyKey, body_hash, response })
    await tx.insert(auditEntries).values({
      tenant_id,
      action: 'verification.created',
      actor: `key:${key.id}`,
      subject: id,
      purpose: body.purpose,
    })
    return response
  })
}

function render(id: string, body: CreateBody, times: { created_at: Date; expires_at: Date }): string {
  const request_uri = `${baseUrl}/wallet/request/${id}`
  const query = new URLSearchParams({
    client_id: 'x509_hash:example',
    request_uri,
    request_uri_method: 'post',
  })
  return JSON.stringify({
    id,
    status: 'pending',
    template: body.template,
    wallet_uri: `openid4vp://?${query.toString()}`,
    request_uri,
    metadata: body.metadata,
    purpose: body.purpose,
    redirect_url: body.redirect_url,
    ...times,
  })
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
