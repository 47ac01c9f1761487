import { scopes as allScopes, type Environment, type Scope } from '@vidimus/contract'
import { createKey, type CreatedKey } from '../src/accounts/api-keys/create-key.ts'
import { readConfig } from '../src/engine/config/config.ts'
import type { ServiceContext } from '../src/program/context.ts'
import type { Endpoint } from '../src/engine/http/endpoint.ts'
import { openLog } from '../src/engine/observability/log.ts'
import { serve } from '../src/program/serve.ts'
import { createTenant } from '../src/accounts/tenants/create.ts'
import { caller, type Caller } from './caller.ts'
import { createTestDatabase } from './database/test-database.ts'

export type ServiceOptions = {
  /** Additional environment variables. By default RATE_LIMITS is off and there is no Redis. */
  environment?: Record<string, string>
  /** Additional endpoints. */
  extra?: readonly Endpoint[]
  /** Receives the log lines. By default the log is silent. */
  onLog?: (line: string) => void
  /** A migrated database. By default a new one is created. */
  database?: { url: string } & AsyncDisposable
}

export type NewTenant = { daily_quota?: number; scopes?: readonly Scope[]; environment?: Environment }
type NewKey = { scopes?: readonly Scope[]; environment?: Environment; lifetime_days?: 30 | 90 | 365 }

/** A tenant with a key, which is also a caller with that key. */
export type Merchant = Caller & {
  tenant_id: string
  webhook_secret: string
  key: string
  key_id: string
  /** Another caller of the same tenant, with its own key. */
  as(key: NewKey): Promise<Caller & CreatedKey>
}

export type Service = {
  address: string
  metrics_address: string
  /** With OPERATOR_PORT. */
  operator_address: string
  database_url: string
  ctx: ServiceContext
  tenant(tenant?: NewTenant): Promise<Merchant>
  /** A caller without a key. */
  anonymous: Caller
} & AsyncDisposable

const masterKey = Buffer.alloc(32, 7).toString('base64')

/** The environment of a service under test. Nothing is inherited from the machine. */
export function testEnvironment(
  database_url: string,
  more: Record<string, string> = {},
): Record<string, string> {
  return {
    DATABASE_URL: database_url,
    MASTER_KEY: masterKey,
    HOST: '127.0.0.1',
    PORT: '0',
    METRICS_PORT: '0',
    RATE_LIMITS: 'off',
    ...more,
  }
}

/** Starts the complete service in this process, over real HTTP, on its own database. */
export async function startService({
  environment,
  extra = [],
  onLog,
  database: given,
}: ServiceOptions = {}): Promise<Service> {
  const database = given ?? (await createTestDatabase())
  const { config, secrets } = readConfig(testEnvironment(database.url, environment))
  const log = openLog(onLog === undefined ? { LOG_LEVEL: 'silent' } : config, { write: onLog ?? (() => {}) })
  const serving = await serve({ config, secrets, log, extra })
  return {
    address: serving.address,
    metrics_address: serving.metrics_address ?? '',
    operator_address: serving.operator_address ?? '',
    database_url: database.url,
    ctx: serving.ctx,
    tenant: (tenant) => newMerchant(serving.ctx, serving.address, tenant),
    anonymous: caller(serving.address),
    async [Symbol.asyncDispose]() {
      await serving.stop({ accept_ms: 0, serve_ms: 0 })
      await database[Symbol.asyncDispose]()
    },
  }
}

/** Creates a tenant and a key, with every scope by default. */
export async function newMerchant(
  ctx: ServiceContext,
  address: string | (() => string),
  { daily_quota, scopes = allScopes, environment = 'test' }: NewTenant = {},
): Promise<Merchant> {
  const tenant = await createTenant(ctx, { name: 'A merchant', daily_quota })
  const by = { kind: 'operator', tenant_id: tenant.tenant_id } as const
  const { key, key_id } = await createKey(ctx, { by, environment, scopes })
  return {
    ...caller(address, key),
    tenant_id: tenant.tenant_id,
    webhook_secret: environment === 'test' ? tenant.webhook_secret : tenant.live_webhook_secret,
    key,
    key_id,
    async as({ scopes: keyScopes = allScopes, environment: keyEnvironment = environment, lifetime_days }) {
      const made = await createKey(ctx, { by, environment: keyEnvironment, scopes: keyScopes, lifetime_days })
      return { ...caller(address, made.key), ...made }
    },
  }
}
