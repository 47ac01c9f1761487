import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, readServingConfig } from './config.ts'

const certificate = join(mkdtempSync(join(tmpdir(), 'vidimus-production-')), 'client.pem')
writeFileSync(certificate, '')

function refusals(variables: NodeJS.ProcessEnv): readonly string[] {
  try {
    readServingConfig({
      DATABASE_URL: 'postgres://localhost/vidimus',
      MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      NODE_ENV: 'production',
      BASE_URL: 'https://verify.example.com',
      ...variables,
    })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
}

const open =
  'DATABASE_URL needs a password or a client certificate (sslcert) in production, unless the database is on this machine'
const unencrypted =
  'DATABASE_URL must say whether TLS is used in production: add sslmode=verify-full, or sslmode=disable if nobody else can read the network to the database'

test.each<[string, readonly string[], NodeJS.ProcessEnv?]>([
  ['postgres://vidimus@db.example.com/vidimus', [open, unencrypted]],
  ['postgres:///vidimus?user=vidimus&host=db.example.com', [open, unencrypted]],
  ['postgres:///vidimus', [open, unencrypted], { PGHOST: 'db.example.com' }],
  ['postgres:///vidimus', [unencrypted], { PGHOST: 'db.example.com', PGPASSWORD: 'secret' }],
  ['postgres://vidimus:secret@10.0.0.5/vidimus', [unencrypted]],
  ['postgres://vidimus:secret@db.example.com/vidimus?sslmode=verify-full', []],
  ['postgres://vidimus:secret@db.example.com/vidimus?sslmode=require', []],
  ['postgres://vidimus:secret@db.example.com/vidimus?sslmode=disable', []],
  ['postgres://vidimus:secret@db.example.com/vidimus', [], { PGSSLMODE: 'verify-full' }],
  ['postgres://vidimus:secret@db.example.com/vidimus', [], { PGSSLMODE: 'disable' }],
  ['postgres://vidimus@db.example.com/vidimus?sslmode=disable', [open]],
  [`postgres://vidimus@db.example.com/vidimus?sslcert=${certificate}`, []],
  ['postgres://vidimus@127.0.0.1:5433/vidimus', []],
  ['postgres://vidimus@[::1]/vidimus', []],
  ['postgres:///vidimus?user=vidimus&host=/run/postgresql', []],
  ['postgres://%2Frun%2Fpostgresql/vidimus', []],
  ['postgres:///vidimus', []],
])(
  '[GEN-13] in production a database on another machine asks who connects, and whether it is encrypted is stated: %s',
  (DATABASE_URL, expected, variables = {}) => {
    expect(refusals({ DATABASE_URL, ...variables })).toEqual(expected)
    expect(refusals({ DATABASE_URL, ...variables, NODE_ENV: 'development' })).toEqual([])
  },
)

test('[GEN-13] in production Redis and a collector on other machines use TLS, unless the operator says otherwise', () => {
  const redis =
    'REDIS_URL must use TLS in production: begin it with rediss://, or add ?tls=off if nobody else can read the network to Redis'
  for (const [REDIS_URL, expected] of [
    ['redis://:secret@redis.example.com:6379', [redis]],
    ['redis://redis:6379/2?family=6', [redis]],
    ['redis://redis:6379?tls=off', []],
    ['rediss://:secret@redis.example.com:6379', []],
    ['redis://127.0.0.1:6379', []],
    ['redis://[::1]:6379', []],
    ['redis://redis:6379?tls=on', ['REDIS_URL may have ?tls=off after redis://; rediss:// always uses TLS']],
    [
      'rediss://redis:6379?tls=off',
      ['REDIS_URL may have ?tls=off after redis://; rediss:// always uses TLS'],
    ],
  ] as const)
    expect([REDIS_URL, refusals({ REDIS_URL })]).toEqual([REDIS_URL, expected])

  const collector =
    'OTEL_EXPORTER_OTLP_ENDPOINT must be an https URL in production; set OTEL_EXPORTER_OTLP_INSECURE=true if nobody else can read the network to the collector'
  for (const [endpoint, insecure, expected] of [
    ['http://collector:4318', '', [collector]],
    ['http://collector:4318', 'false', [collector]],
    ['http://collector:4318', 'true', []],
    ['https://collector.example.com', '', []],
    ['http://127.0.0.1:4318', '', []],
    ['http://[::1]:4318', '', []],
  ] as const)
    expect([
      endpoint,
      insecure,
      refusals({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_INSECURE: insecure }),
    ]).toEqual([endpoint, insecure, expected])
})

test('[GEN-13] production does not start with the verification of certificates switched off', () => {
  expect(refusals({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toEqual([
    'NODE_TLS_REJECT_UNAUTHORIZED must not be 0 in production, because every certificate would be accepted; NODE_EXTRA_CA_CERTS adds your own authority',
  ])
  expect(refusals({ NODE_TLS_REJECT_UNAUTHORIZED: '1' })).toEqual([])
})

test('[GEN-13] in production operators use https, or a tunnel to this machine', () => {
  const console = { OPERATOR_PORT: '9470' }
  expect(refusals({ ...console, OPERATOR_URL: 'http://console.example.com' })).toEqual([
    'OPERATOR_URL must be an https URL in production, or one of localhost; it is http://console.example.com',
  ])
  expect(refusals({ ...console, OPERATOR_URL: 'https://console.example.com' })).toEqual([])
  expect(refusals(console)).toEqual([])
})
