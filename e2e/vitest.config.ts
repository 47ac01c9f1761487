import { defineConfig } from 'vitest/config'

/** `npm run e2e`: the built front end in a real browser, against the whole service. Apart from `npm test`, which needs no browser. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    globalSetup: ['../apps/service/test/prepare-run.ts', './require-build.ts'],
    reporters: ['default', ['json', { outputFile: '../.results/e2e.json' }]],
    // Two cores for a browser, the service and its worker.
    fileParallelism: false,
    // What every file needs, service and browser, is loaded once.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
