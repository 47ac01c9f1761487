import type { IForbiddenRuleType } from 'dependency-cruiser'
import { extras, modules } from './modules.ts'

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

const anyModule = (of: readonly string[]) => `${service}/(?:${of.join('|')})/`
const anyExtra = anyModule(extras)

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
    name: 'tokens-import-nothing',
    comment: 'The page, the component and the till contain them.',
    from: { path: '^packages/tokens/src', pathNot: test },
    to: { pathNot: '^packages/tokens/src' },
    violation: { file: 'packages/tokens/src/a.ts', imports: '../../protocol/src/b.ts' },
  },
  {
    name: 'component-imports-only-texts-qr-codes-and-tokens',
    comment: 'Every byte of it is downloaded by holders.',
    from: { path: '^packages/component/src', pathNot: test },
    to: {
      pathNot:
        '^packages/component/src|^packages/holder-texts/src/languages/en[.]ts$|^packages/(?:qr-code|tokens)/src|^node_modules/@vidimus/(?:holder-texts/src/languages/en|(?:qr-code|tokens)/src/index)[.]ts$',
    },
    violation: { file: 'packages/component/src/a.ts', imports: '../../holder-texts/src/index.ts' },
  },
  {
    name: 'only-serving-commands-import-serve',
    comment: 'A worker or a command that loads the HTTP service starts later and takes more memory.',
    from: { path: `${service}/`, pathNot: `${test}|${service}/program/commands/(?:run/serve|dev/dev)[.]ts$` },
    to: { path: `${service}/program/serve[.]ts$` },
    violation: { file: 'apps/service/src/program/commands/run/work.ts', imports: '../../serve.ts' },
  },
  {
    name: 'packages-never-import-apps',
    from: { path: '^packages/' },
    to: { path: '^apps/' },
    violation: { file: 'packages/tools/src/a.ts', imports: '../../../apps/service/src/engine/b.ts' },
  },
  {
    name: 'apps-never-import-apps',
    from: { path: '^apps/([^/]+)/' },
    to: { path: '^apps/', pathNot: '^apps/$1/' },
    violation: { file: 'apps/till/src/a.ts', imports: '../../service/src/engine/b.ts' },
  },
  {
    name: 'only-chaos-imports-chaos',
    comment: 'Chaos runs use the test helpers of the service; tests that use a chaos run live beside it.',
    from: { pathNot: '^chaos/' },
    to: { path: '^chaos/' },
    violation: { file: 'apps/service/src/accounts/usage/a.test.ts', imports: '../../../../../chaos/b.ts' },
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
    from: { path: `${service}/`, pathNot: `${test}|${service}/(?:program/commands|trust|holder/sandbox)/` },
    to: { path: '^packages/sandbox/' },
    violation: {
      file: 'apps/service/src/accounts/usage/a.ts',
      imports: '../../../../../packages/sandbox/src/b.ts',
    },
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
    name: 'only-engine-db-imports-pg',
    from: { path: service, pathNot: `${service}/engine/db/|${test}` },
    to: { path: 'node_modules/(?:pg|pg-[^/]+|@types/pg)/' },
    violation: { file: 'apps/service/src/accounts/usage/a.ts', imports: 'pg' },
  },
  {
    name: 'only-stores-import-sql',
    from: { path: service, pathNot: `[/-]store[.]ts$|${service}/engine/db/|${test}` },
    to: { path: `${service}/engine/db/sql[.]ts$` },
    violation: { file: 'apps/service/src/accounts/usage/a.ts', imports: '../../engine/db/sql.ts' },
  },
  {
    name: 'only-engine-redis-imports-ioredis',
    from: { path: service, pathNot: `${service}/engine/redis/|${test}` },
    to: { path: 'node_modules/ioredis/' },
    violation: { file: 'apps/service/src/accounts/usage/a.ts', imports: 'ioredis' },
  },
  {
    name: 'only-http-code-imports-fastify',
    from: { path: service, pathNot: `routes[.]ts$|${service}/(?:engine/http/|program/app[.]ts$)|${test}` },
    to: { path: 'node_modules/(?:fastify|@fastify)/' },
    violation: { file: 'apps/service/src/accounts/usage/a.ts', imports: 'fastify' },
  },
  {
    name: 'only-routes-import-engine-http',
    from: {
      path: anyModule(modules.filter((module) => module !== 'engine' && module !== 'program')),
      pathNot: `routes[.]ts$|${test}`,
    },
    to: { path: `${service}/engine/http/` },
    violation: { file: 'apps/service/src/accounts/usage/a.ts', imports: '../../engine/http/b.ts' },
  },
  {
    name: 'only-egress-opens-connections',
    from: {
      path: service,
      pathNot: `${service}/engine/(?:egress|http|observability/tracing)/|${service}/program/commands/|${test}`,
    },
    to: {
      path: '^(?:node:)?(?:http|https|http2|net|tls|dns|dns/promises|dgram)$|node_modules/undici/',
      dependencyTypesNot: ['type-only'],
    },
    violation: { file: 'apps/service/src/accounts/usage/a.ts', imports: 'node:net' },
  },
  {
    name: 'only-engine-mail-imports-nodemailer',
    from: { path: service, pathNot: `${service}/engine/mail/|${test}` },
    to: { path: 'node_modules/nodemailer/' },
    violation: { file: 'apps/service/src/accounts/usage/a.ts', imports: 'nodemailer' },
  },
  {
    name: 'only-engine-tracing-imports-opentelemetry',
    comment: 'Without a collector only its API is loaded, which the metrics load too.',
    from: {
      path: service,
      pathNot: `${service}/engine/observability/(?:tracing/|spans[.]ts$)|${test}`,
    },
    to: { path: 'node_modules/@opentelemetry/' },
    violation: { file: 'apps/service/src/accounts/usage/a.ts', imports: '@opentelemetry/api' },
  },
  {
    name: 'extras-are-loaded-where-they-are-configured',
    from: { path: service, pathNot: `${anyExtra}|${test}` },
    to: {
      path: `${anyExtra}|node_modules/(?:@opentelemetry/(?!api/)|pkcs11js/)`,
      dynamic: false,
      dependencyTypesNot: ['type-only'],
    },
    violation: { file: 'apps/service/src/engine/keyring/a.ts', imports: './hsm/b.ts' },
  },
  {
    name: 'only-xml-lists-import-xml-libraries',
    comment: 'They are large and read documents of others: only a thread of its own loads them.',
    from: { path: service, pathNot: `${service}/trust/lists/xml/|${test}` },
    to: { path: 'node_modules/(?:xml-crypto|@xmldom)/' },
    violation: { file: 'apps/service/src/accounts/usage/a.ts', imports: 'xml-crypto' },
  },
  {
    name: 'stores-import-only-the-database',
    from: { path: `${service}/.+[/-]store[.]ts$` },
    to: {
      path: service,
      pathNot: `${service}/engine/(?:db|basics)/`,
      dependencyTypesNot: ['type-only'],
    },
    violation: { file: 'apps/service/src/accounts/usage/store.ts', imports: './b.ts' },
  },
  {
    name: 'modules-are-imported-through-their-interface',
    comment:
      'index.ts has the use cases, http.ts the endpoints. The engine has an interface for each part; sql.ts is one of its own, for stores.',
    from: { path: `${service}/([^/]+)/`, pathNot: test },
    to: {
      path: `${service}/[^/]+/`,
      pathNot: `${service}/(?:$1/|[^/]+/(?:index|http)[.]ts$|engine/(?:[^/]+/index|db/sql|context)[.]ts$)`,
    },
    violation: { file: 'apps/service/src/devices/a.ts', imports: '../templates/b.ts' },
  },
  {
    name: 'only-the-app-imports-endpoints',
    from: {
      pathNot: `${service}/(?:program/(?:operator-)?app|[^/]+/http|engine/http/index)[.]ts$|${test}`,
    },
    to: { path: `${service}/(?:[^/]+/http|.*routes)[.]ts$` },
    violation: { file: 'apps/service/src/accounts/usage/a.ts', imports: './routes.ts' },
  },
  ...modules.slice(1).map((module, above): ImportRule => ({
    name: `${module}-imports-no-module-above`,
    from: { path: `${service}/${module}/`, pathNot: test },
    to: { path: anyModule(modules.slice(0, above + 1)) },
    violation: { file: `apps/service/src/${module}/a.ts`, imports: `../${modules[above]}/b.ts` },
  })),
]
