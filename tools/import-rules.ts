import type { IForbiddenRuleType } from 'dependency-cruiser'

/**
 * Which room may open which door. Each rule carries one planted violation, `breaks`: the test writes it into an empty
 * house and expects the rule to catch it. A rule that can catch nothing cannot stand here.
 */
export type ImportRule = IForbiddenRuleType & {
  name: string
  breaks: { file: string; imports: string; imported_back?: true }
}

const service = '^apps/service/src'
const test = '[.]test[.]ts$|/test/'

/** Which slice may call which. ARCHITECTURE.md shows this same table, and a test compares them. */
export const mayCall: Record<string, readonly string[]> = {
  verifications: ['templates', 'usage', 'webhooks', 'trust', 'idempotency', 'tenants', 'audit'],
  devices: ['templates', 'members', 'tenants', 'audit'],
  'api-keys': ['members', 'tenants', 'audit'],
  webhooks: ['audit'],
  templates: ['tenants', 'audit'],
  trust: ['audit'],
  members: ['tenants', 'audit'],
  dashboard: [
    'verifications',
    'webhooks',
    'devices',
    'api-keys',
    'trust',
    'usage',
    'tenants',
    'templates',
    'members',
    'audit',
  ],
  usage: ['tenants'],
  sandbox: ['verifications', 'trust'],
  tenants: ['webhooks', 'audit'],
  idempotency: [],
  audit: [],
}
const slices = Object.keys(mayCall)
const anySlice = `${service}/(?:${slices.join('|')})/`

export const importRules: ImportRule[] = [
  {
    name: 'no-cycles',
    from: {},
    to: { circular: true },
    breaks: { file: 'packages/contract/src/a.ts', imports: './b.ts', imported_back: true },
  },
  {
    name: 'resolvable',
    from: {},
    to: { couldNotResolve: true },
    breaks: { file: 'packages/contract/src/a.ts', imports: './missing.ts' },
  },
  {
    name: 'no-tests-in-production',
    from: { pathNot: `${test}|^(?:tools|bench|chaos|conformance|e2e)/|[.]config[.]ts$` },
    to: { path: test },
    breaks: { file: 'packages/contract/src/a.ts', imports: './a.test.ts' },
  },
  {
    name: 'protocol-is-pure',
    comment: 'No I/O, no clock, no database: its own files, jose, and the two node modules that compute.',
    from: { path: '^packages/protocol/src', pathNot: test },
    to: { pathNot: '^packages/protocol/src|node_modules/jose/|^(?:node:)?(?:crypto|zlib)$' },
    breaks: { file: 'packages/protocol/src/a.ts', imports: 'node:fs' },
  },
  {
    name: 'contract-is-a-leaf',
    from: { path: '^packages/contract/src', pathNot: test },
    to: { pathNot: '^packages/contract/src|node_modules/zod/' },
    breaks: { file: 'packages/contract/src/a.ts', imports: 'node:fs' },
  },
  {
    name: 'sandbox-shares-no-verifier',
    comment: 'The wallet that tests the verifier must not be built from it.',
    from: { path: '^packages/sandbox/', pathNot: test },
    to: { path: '^packages/(?!sandbox/)' },
    breaks: { file: 'packages/sandbox/src/a.ts', imports: '../../protocol/src/b.ts' },
  },
  {
    name: 'sdk-has-no-runtime-dependency',
    from: { path: '^packages/sdk/src', pathNot: test },
    to: { pathNot: '^packages/sdk/src', dependencyTypesNot: ['type-only'] },
    breaks: { file: 'packages/sdk/src/a.ts', imports: 'node:fs' },
  },
  {
    name: 'packages-never-import-apps',
    from: { path: '^packages/' },
    to: { path: '^apps/' },
    breaks: { file: 'packages/tools/src/a.ts', imports: '../../../apps/service/src/platform/b.ts' },
  },
  {
    name: 'apps-never-import-apps',
    from: { path: '^apps/([^/]+)/' },
    to: { path: '^apps/', pathNot: '^apps/$1/' },
    breaks: { file: 'apps/till/src/a.ts', imports: '../../service/src/platform/b.ts' },
  },
  {
    name: 'conformance-is-black-box',
    from: { path: '^conformance/' },
    to: { path: '^(?:apps|packages)/', pathNot: '^packages/sandbox/' },
    breaks: { file: 'conformance/a.ts', imports: '../packages/contract/src/b.ts' },
  },
  {
    name: 'conformance-needs-no-package',
    comment: 'Whoever checks another service with it has Node, the sandbox and nothing else.',
    from: { path: '^conformance/' },
    to: { path: 'node_modules/', pathNot: 'node_modules/(?:@types/node|@vidimus/sandbox)/' },
    breaks: { file: 'conformance/a.ts', imports: 'zod' },
  },
  {
    name: 'examples-know-only-the-sdk',
    comment: 'A merchant has nothing else of this repository.',
    from: { path: '^examples/', pathNot: test },
    to: { path: '^(?:apps|packages)/', pathNot: '^packages/sdk/src/index[.]ts$' },
    breaks: { file: 'examples/express/a.ts', imports: '../../packages/sdk/src/webhooks/b.ts' },
  },
  {
    name: 'sandbox-is-for-commands',
    comment:
      'Only what answers as a wallet, in a command or in the browser, and the test issuer may use the sandbox.',
    from: { path: `${service}/`, pathNot: `${test}|${service}/(?:commands|trust|sandbox)/` },
    to: { path: '^packages/sandbox/' },
    breaks: { file: 'apps/service/src/usage/a.ts', imports: '../../../../packages/sandbox/src/b.ts' },
  },
  {
    name: 'platform-knows-no-slice',
    from: { path: `${service}/platform/`, pathNot: test },
    to: { path: anySlice },
    breaks: { file: 'apps/service/src/platform/a.ts', imports: '../usage/b.ts' },
  },
  {
    name: 'evidence-is-pure',
    comment:
      'Whoever gets an export checks it without the service, in a browser too: nothing of Node, no database, no network.',
    from: { path: '^packages/evidence/src', pathNot: test },
    to: { pathNot: '^packages/evidence/src|node_modules/zod/' },
    breaks: { file: 'packages/evidence/src/a.ts', imports: 'node:crypto' },
  },
  {
    name: 'only-the-database-room-knows-pg',
    from: { path: service, pathNot: `${service}/platform/db/|${test}` },
    to: { path: 'node_modules/(?:pg|pg-[^/]+|@types/pg)/' },
    breaks: { file: 'apps/service/src/usage/a.ts', imports: 'pg' },
  },
  {
    name: 'only-stores-write-sql',
    from: { path: service, pathNot: `store[.]ts$|${service}/platform/db/|${test}` },
    to: { path: `${service}/platform/db/sql[.]ts$` },
    breaks: { file: 'apps/service/src/usage/a.ts', imports: '../platform/db/sql.ts' },
  },
  {
    name: 'only-the-redis-room-knows-ioredis',
    from: { path: service, pathNot: `${service}/platform/redis/|${test}` },
    to: { path: 'node_modules/ioredis/' },
    breaks: { file: 'apps/service/src/usage/a.ts', imports: 'ioredis' },
  },
  {
    name: 'only-routes-know-fastify',
    from: { path: service, pathNot: `routes[.]ts$|${service}/(?:platform/http/|app[.]ts$)|${test}` },
    to: { path: 'node_modules/(?:fastify|@fastify)/' },
    breaks: { file: 'apps/service/src/usage/a.ts', imports: 'fastify' },
  },
  {
    name: 'only-routes-know-http',
    from: { path: anySlice, pathNot: `routes[.]ts$|${test}` },
    to: { path: `${service}/platform/http/` },
    breaks: { file: 'apps/service/src/usage/a.ts', imports: '../platform/http/b.ts' },
  },
  {
    name: 'only-egress-goes-out',
    from: { path: service, pathNot: `${service}/platform/(?:egress|http)/|${service}/commands/|${test}` },
    to: {
      path: '^(?:node:)?(?:http|https|http2|net|tls|dns|dns/promises|dgram)$|node_modules/undici/',
      dependencyTypesNot: ['type-only'],
    },
    breaks: { file: 'apps/service/src/usage/a.ts', imports: 'node:net' },
  },
  {
    name: 'a-store-calls-nothing',
    from: { path: `${service}/.+store[.]ts$` },
    to: {
      path: service,
      pathNot: `${service}/platform/(?:db/|ids[.]ts$)`,
      dependencyTypesNot: ['type-only'],
    },
    breaks: { file: 'apps/service/src/usage/store.ts', imports: './b.ts' },
  },
  {
    name: 'a-store-is-private-to-its-slice',
    from: { path: `${service}/([^/]+)/`, pathNot: test },
    to: { path: `${service}/.+store[.]ts$`, pathNot: `${service}/$1/` },
    breaks: { file: 'apps/service/src/devices/a.ts', imports: '../templates/store.ts' },
  },
  {
    name: 'nobody-imports-routes',
    from: { pathNot: `${service}/app[.]ts$|${test}` },
    to: { path: `${service}/.*routes[.]ts$` },
    breaks: { file: 'apps/service/src/usage/a.ts', imports: './routes.ts' },
  },
  ...slices.map((slice): ImportRule => ({
    name: `${slice}-calls-only-its-neighbours`,
    from: { path: `${service}/${slice}/`, pathNot: test },
    to: { path: anySlice, pathNot: `${service}/(?:${[slice, ...(mayCall[slice] ?? [])].join('|')})/` },
    breaks: {
      file: `apps/service/src/${slice}/a.ts`,
      imports: `../${slice === 'sandbox' ? 'devices' : 'sandbox'}/b.ts`,
    },
  })),
]
