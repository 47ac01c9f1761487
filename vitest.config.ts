import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { slowTests } from './tools/test-lanes.ts'

export default defineConfig({
  test: {
    reporters: ['default', 'json'],
    outputFile: { json: '.results/tests.json' },
    // Long enough for a busy machine. Speed is measured by `npm run bench`.
    testTimeout: 90_000,
    // One more than two cores can run, because tests wait for the database, processes and time limits as well.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    hookTimeout: 90_000,
    // Test files of a worker share its modules: loading them again for each file took a third of the suite's time.
    isolate: false,
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'packages/**/*.test.ts',
            'apps/{dashboard,guides,till}/**/*.test.ts',
            'tools/**/*.test.ts',
            'sdks/**/*.test.ts',
            'bench/**/*.test.ts',
            'chaos/report/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, ...slowTests],
          globalSetup: 'apps/service/test/temporary-folder.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['apps/service/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...slowTests],
          globalSetup: ['apps/service/test/temporary-folder.ts', 'apps/service/test/prepare-run.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: slowTests,
          // `npm run test:cluster` runs those of the cluster alone.
          exclude: [...configDefaults.exclude, 'chaos/{cluster,report}/**'],
          globalSetup: ['apps/service/test/temporary-folder.ts', 'apps/service/test/prepare-run.ts'],
        },
      },
    ],
  },
})
