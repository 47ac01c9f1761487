import { defineConfig } from 'vitest/config'

/** `npm run test:cluster`: short forms of the runs on a whole cluster. One file at a time and nothing beside it, because their time limits are those of production. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    name: 'cluster',
    include: ['**/*.test.ts'],
    globalSetup: '../../apps/service/test/temporary-folder.ts',
    reporters: ['default', 'json'],
    outputFile: { json: '../../.results/cluster.json' },
    maxWorkers: 1,
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
})
