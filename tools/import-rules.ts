import type { IForbiddenRuleType } from 'dependency-cruiser'
import { mayCall } from './may-call.ts'

/**
 * Which module may import which. Each rule has one deliberate violation, which a test writes into an empty repository to
 * show that the rule catches it.
 */
export type ImportRule = IForbiddenRuleType & {
  name: string
  violation: { file: string; imports: string; imported_back?: true }
}

const service = '^apps/service/src'
const test = '[.]test[.]ts$|/test/'

const slices = Object.keys(mayCall)
const anySlice = `${service}/(?:${slices.join('|')})/`

export const importRules: ImportRule[] = [
  {
    name: 'no-cycles',
    from: {},
    to: { circular: true },
    violation: { file: 'packages/contract/src/a.ts', imports: './b.ts', imported_back: true },
  },
  {
    name: 'imports-resolve',
    from: {},
    to: { couldNotResolve: true },
    violation: { file: 'packages/contract/src/a.ts', imports: './missing.ts' },
  },
  {
    name: 'no-tests-in-production',
    from: { pathNot: `${test}|^(?:tools|bench|chaos|conformance|e2e)/|[.]config[.]ts$` },
    to: { path: test },
    violation: { file: 'packages/contract/src/a.ts', imports: './a.test.ts' },
  },
  {
    name: 'protocol-is-pure',
    comment:
      'No I/O, clock or database: only its own files, jose, and the Node modules for cryptography and compression.',
    from: { path: '^packages/protocol/src', pathNot: test },
    to: { pathNot: '^packages/protocol/src|node_modules/jose/|^(?:node:)?(?:crypto|zlib)$' },
    violation: { file: 'packages/protocol/src/a.ts', imports: 'node:fs' },
  },
  {
    name: 'templates-never-import-outcomes',
    comment: 'Deciding an outcome applies a template. A template only describes rules and checks them.',
    from: { path: '^packages/protocol/src/template/' },
    to: { path: '^packages/protocol/src/outcome/' },
    violation: { file: 'packages/protocol/src/template/a.ts', imports: '../outcome/b.ts' },
  },
  {
    name: 'contract-imports-only-zod',
    from: { path: '^packages/contract/src', pathNot: test },
    to: { pathNot: '^packages/contract/src|node_modules/zod/' },
    violation: { file: 'packages/contract/src/a.ts', imports: 'node:fs' },
  },
  {
    name: 'sandbox-never-imports-packages',
    comment: 'The wallet that tests the verifier must not be built from it.',
    from: { path: '^packages/sandbox/', pathNot: test },
    to: { path: '^packages/(?!sandbox/)' },
    violation: { file: 'packages/sandbox/src/a.ts', imports: '../../protocol/src/b.ts' },
  },
  {
    name: 'sdk-has-no-runtime-dependency',
    from: { path: '^packages/sdk/src', pathNot: test },
    to: { pathNot: '^packages/sdk/src', dependencyTypesNot: ['type-only'] },
    violation: { file: 'packages/sdk/src/a.ts', imports: 'node:fs' },
  },
  {
    name: 'holder-texts-import-nothing',
    comment: 'The service, the dashboard and the component in the pages of merchants contain them.',
    from: { path: '^packages/holder-texts/src', pathNot: test },
    to: { pathNot: '^packages/holder-texts/src' },
    violation: { file: 'packages/holder-texts/src/a.ts', imports: '../../protocol/src/b.ts' },
  },
  {
    name: 'component-imports-only-texts-and-qr-codes',
    comment: 'Every byte of it is downloaded by holders.',
    from: { path: '^packages/component/src', pathNot: test },
    to: {
      pathNot:
        '^packages/component/src|^packages/holder-texts/src/languages/en[.]ts$|^packages/qr-code/src|^node_modules/@vidimus/(?:holder-texts/src/languages/en|qr-code/src/index)[.]ts$',
    },
    violation: { file: 'packages/component/src/a.ts', imports: '../../holder-texts/src/index.ts' },
  },
  {
    name: 'only-serving-commands-import-serve',
    comment: 'A worker or a command that loads the HTTP service starts later and takes more memory.',
    from: { path: `${service}/`, pathNot: `${test}|${service}/commands/(?:run/serve|dev/dev)[.]ts$` },
    to: { path: `${service}/serve[.]ts$` },
    violation: { file: 'apps/service/src/commands/run/work.ts', imports: '../../serve.ts' },
  },
  {
    name: 'packages-never-import-apps',
    from: { path: '^packages/' },
    to: { path: '^apps/' },
    violation: { file: 'packages/tools/src/a.ts', imports: '../../../apps/service/src/platform/b.ts' },
  },
  {
    name: 'apps-never-import-apps',
    from: { path: '^apps/([^/]+)/' },
    to: { path: '^apps/', pathNot: '^apps/$1/' },
    violation: { file: 'apps/till/src/a.ts', imports: '../../service/src/platform/b.ts' },
  },
  {
    name: 'only-chaos-imports-chaos',
    comment: 'Chaos runs use the test helpers of the service; tests that use a chaos run live beside it.',
    from: { pathNot: '^chaos/' },
    to: { path: '^chaos/' },
    violation: { file: 'apps/service/src/usage/a.test.ts', imports: '../../../../chaos/b.ts' },
  },
  {
    name: 'conformance-is-black-box',
    from: { path: '^conformance/' },
    to: { path: '^(?:apps|packages)/', pathNot: '^packages/sandbox/' },
    violation: { file: 'conformance/a.ts', imports: '../packages/contract/src/b.ts' },
  },
  {
    name: 'conformance-needs-no-package',
    comment: 'Someone who tests another service with it has only Node and the sandbox.',
    from: { path: '^conformance/' },
    to: { path: 'node_modules/', pathNot: 'node_modules/(?:@types/node|@vidimus/sandbox)/' },
    violation: { file: 'conformance/a.ts', imports: 'zod' },
  },
  {
    name: 'examples-import-only-the-sdk',
    comment: 'Merchants have only the SDK.',
    from: { path: '^examples/', pathNot: test },
    to: { path: '^(?:apps|packages)/', pathNot: '^packages/sdk/src/index[.]ts$' },
    violation: { file: 'examples/express/a.ts', imports: '../../packages/sdk/src/webhooks/b.ts' },
  },
  {
    name: 'only-commands-and-test-trust-import-the-sandbox',
    comment:
      'Only the wallet of the commands and of the browser sandbox, and the test issuer, may use the sandbox package.',
    from: { path: `${service}/`, pathNot: `${test}|${service}/(?:commands|trust|sandbox)/` },
    to: { path: '^packages/sandbox/' },
    violation: { file: 'apps/service/src/usage/a.ts', imports: '../../../../packages/sandbox/src/b.ts' },
  },
  {
    name: 'platform-never-imports-slices',
    from: { path: `${service}/platform/`, pathNot: test },
    to: { path: anySlice },
    violation: { file: 'apps/service/src/platform/a.ts', imports: '../usage/b.ts' },
  },
  {
    name: 'evidence-is-pure',
    comment:
      'The recipient of an export checks it without the service, also in a browser: no Node modules, database or network.',
    from: { path: '^packages/evidence/src', pathNot: test },
    to: { pathNot: '^packages/evidence/src|node_modules/(?:zod|@noble/hashes)/' },
    violation: { file: 'packages/evidence/src/a.ts', imports: 'node:crypto' },
  },
  {
    name: 'only-platform-db-imports-pg',
    from: { path: service, pathNot: `${service}/platform/db/|${test}` },
    to: { path: 'node_modules/(?:pg|pg-[^/]+|@types/pg)/' },
    violation: { file: 'apps/service/src/usage/a.ts', imports: 'pg' },
  },
  {
    name: 'only-stores-import-sql',
    from: { path: service, pathNot: `[/-]store[.]ts$|${service}/platform/db/|${test}` },
    to: { path: `${service}/platform/db/sql[.]ts$` },
    violation: { file: 'apps/service/src/usage/a.ts', imports: '../platform/db/sql.ts' },
  },
  {
    name: 'only-platform-redis-imports-ioredis',
    from: { path: service, pathNot: `${service}/platform/redis/|${test}` },
    to: { path: 'node_modules/ioredis/' },
    violation: { file: 'apps/service/src/usage/a.ts', imports: 'ioredis' },
  },
  {
    name: 'only-http-code-imports-fastify',
    from: { path: service, pathNot: `routes[.]ts$|${service}/(?:platform/http/|app[.]ts$)|${test}` },
    to: { path: 'node_modules/(?:fastify|@fastify)/' },
    violation: { file: 'apps/service/src/usage/a.ts', imports: 'fastify' },
  },
  {
    name: 'only-routes-import-platform-http',
    from: { path: anySlice, pathNot: `routes[.]ts$|${test}` },
    to: { path: `${service}/platform/http/` },
    violation: { file: 'apps/service/src/usage/a.ts', imports: '../platform/http/b.ts' },
  },
  {
    name: 'only-egress-opens-connections',
    from: {
      path: service,
      pathNot: `${service}/platform/(?:egress|http|tracing)/|${service}/commands/|${test}`,
    },
    to: {
      path: '^(?:node:)?(?:http|https|http2|net|tls|dns|dns/promises|dgram)$|node_modules/undici/',
      dependencyTypesNot: ['type-only'],
    },
    violation: { file: 'apps/service/src/usage/a.ts', imports: 'node:net' },
  },
  {
    name: 'only-platform-mail-imports-nodemailer',
    from: { path: service, pathNot: `${service}/platform/mail/|${test}` },
    to: { path: 'node_modules/nodemailer/' },
    violation: { file: 'apps/service/src/usage/a.ts', imports: 'nodemailer' },
  },
  {
    name: 'only-platform-tracing-imports-opentelemetry',
    comment: 'It is loaded only if a collector is configured.',
    from: { path: service, pathNot: `${service}/platform/tracing/|${test}` },
    to: { path: 'node_modules/@opentelemetry/' },
    violation: { file: 'apps/service/src/usage/a.ts', imports: '@opentelemetry/api' },
  },
  {
    name: 'only-xml-lists-import-xml-libraries',
    comment: 'They are large and read documents of others: only a thread of its own loads them.',
    from: { path: service, pathNot: `${service}/trust/lists/xml/|${test}` },
    to: { path: 'node_modules/(?:xml-crypto|@xmldom)/' },
    violation: { file: 'apps/service/src/usage/a.ts', imports: 'xml-crypto' },
  },
  {
    name: 'stores-import-only-the-database',
    from: { path: `${service}/.+[/-]store[.]ts$` },
    to: {
      path: service,
      pathNot: `${service}/platform/(?:db/|ids[.]ts$)`,
      dependencyTypesNot: ['type-only'],
    },
    violation: { file: 'apps/service/src/usage/store.ts', imports: './b.ts' },
  },
  {
    name: 'stores-are-private-to-their-slice',
    from: { path: `${service}/([^/]+)/`, pathNot: test },
    to: { path: `${service}/.+[/-]store[.]ts$`, pathNot: `${service}/$1/` },
    violation: { file: 'apps/service/src/devices/a.ts', imports: '../templates/store.ts' },
  },
  {
    name: 'only-the-app-imports-routes',
    from: { pathNot: `${service}/app[.]ts$|${test}` },
    to: { path: `${service}/.*routes[.]ts$` },
    violation: { file: 'apps/service/src/usage/a.ts', imports: './routes.ts' },
  },
  ...slices.map((slice): ImportRule => ({
    name: `${slice}-calls-only-allowed-slices`,
    from: { path: `${service}/${slice}/`, pathNot: test },
    to: { path: anySlice, pathNot: `${service}/(?:${[slice, ...(mayCall[slice] ?? [])].join('|')})/` },
    violation: {
      file: `apps/service/src/${slice}/a.ts`,
      imports: `../${slice === 'sandbox' ? 'devices' : 'sandbox'}/b.ts`,
    },
  })),
]
