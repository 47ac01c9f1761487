import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    reporters: ['default', ['json', { outputFile: '.results/tests.json' }]],
    // Generous: a machine that is busy elsewhere is no fault of the code. What must be quick is measured by `npm run bench`.
    testTimeout: 90_000,
    // Even on two cores: tests wait for the database and for each other's clocks as much as they compute.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    hookTimeout: 90_000,
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: ['packages/**/*.test.ts', 'apps/dashboard/**/*.test.ts', 'tools/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['apps/service/**/*.test.ts', 'chaos/**/*.test.ts', 'examples/**/*.test.ts'],
          globalSetup: 'apps/service/test/prepare-run.ts',
        },
      },
    ],
  },
})
