import {
  bigint,
  customType,
  date,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'

/** The tables of schema.sql that the creating service uses, for Drizzle. */
const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
const time = (name: string) => timestamp(name, { withTimezone: true })

export const tenants = pgTable('tenants', {
  id: uuid().primaryKey(),
  daily_quota: integer().notNull(),
})

export const apiKeys = pgTable('api_keys', {
  id: uuid().primaryKey(),
  tenant_id: uuid().notNull(),
  environment: text().notNull(),
  hash: bytea().notNull().unique(),
  scopes: text().array().notNull(),
  expires_at: time('expires_at'),
  revoked_at: time('revoked_at'),
})

export const tenantUsage = pgTable(
  'tenant_usage',
  { tenant_id: uuid().notNull(), day: date().notNull(), used: integer().notNull() },
  (table) => [primaryKey({ columns: [table.tenant_id, table.day] })],
)

export const verifications = pgTable('sessions', {
  id: text().primaryKey(),
  tenant_id: uuid().notNull(),
  environment: text().notNull(),
  status: text().notNull().default('pending'),
  template: text(),
  metadata: jsonb().$type<Record<string, string>>(),
  purpose: text(),
  webhook_url: text(),
  redirect_url: text(),
  seed: bytea(),
  created_at: time('created_at').notNull(),
  expires_at: time('expires_at').notNull(),
})

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    tenant_id: uuid().notNull(),
    key: text().notNull(),
    body_hash: bytea().notNull(),
    response: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant_id, table.key] })],
)

export const auditEntries = pgTable('audit_entries', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  tenant_id: uuid().notNull(),
  action: text().notNull(),
  actor: text().notNull(),
  subject: text(),
  purpose: text(),
})
