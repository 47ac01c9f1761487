import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    reporters: ['default', ['json', { outputFile: '.results/tests.json' }]],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: 'pure', include: ['packages/**/*.test.ts', 'tools/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['apps/service/**/*.test.ts'],
          globalSetup: 'apps/service/test/migrate-template.ts',
        },
      },
    ],
  },
})
