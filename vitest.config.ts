import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

/** The documents' commands, the packed program and the chart's pods run the whole service, on a database; the growth benchmark fills one. */
const needDatabase = [
  'tools/documents/blocks.test.ts',
  'tools/documents/install.test.ts',
  'tools/documents/incidents/incidents.test.ts',
  'tools/program-package/package.test.ts',
  'tools/chart/pods.test.ts',
  'bench/growth/fill.test.ts',
]

export default defineConfig({
  test: {
    reporters: ['default', ['json', { outputFile: '.results/tests.json' }]],
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
            'bench/**/*.test.ts',
            'chaos/report/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, ...needDatabase],
          globalSetup: 'apps/service/test/temporary-folder.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: [
            'apps/service/**/*.test.ts',
            'chaos/**/*.test.ts',
            'examples/**/*.test.ts',
            ...needDatabase,
          ],
          // `npm run test:cluster` runs those of the cluster alone.
          exclude: [...configDefaults.exclude, 'chaos/{cluster,report}/**'],
          globalSetup: ['apps/service/test/temporary-folder.ts', 'apps/service/test/prepare-run.ts'],
        },
      },
    ],
  },
})
