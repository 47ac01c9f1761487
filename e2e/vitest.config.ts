import { defineConfig } from 'vitest/config'

/** `npm run e2e`: the built dashboard in a real browser, against the whole service. Separate from `npm test`, which needs no browser. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    globalSetup: [
      '../apps/service/test/temporary-folder.ts',
      '../apps/service/test/prepare-run.ts',
      './require-build.ts',
    ],
    reporters: ['default', 'json'],
    outputFile: { json: '../.results/e2e.json' },
    // Two files at a time: tests of a browser wait more than they compute.
    maxWorkers: 2,
    // The modules of service and browser are loaded once for all files.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
