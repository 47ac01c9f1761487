/**
 * Tests in two lanes. The landing check (`.ci/run`) and `npm test` leave these to `npm run test:slow`, which `npm run test:all`
 * includes: they take long, need programs beside PostgreSQL and Redis, or depend on how busy the machine is.
 */
export const slowTests = [
  'chaos/**/*.test.ts',
  'examples/**/*.test.ts',
  'apps/service/test/outside/**/*.test.ts',
  'bench/growth/fill.test.ts',
  'packages/sdk/test/package.test.ts',
  'packages/wallets/src/*.test.ts',
  'tools/chart/pods.test.ts',
  'tools/documents/{blocks,install}.test.ts',
  'tools/documents/incidents/incidents.test.ts',
  'tools/program-package/package.test.ts',
  '**/*.slow.test.ts',
]
