import { existsSync } from 'node:fs'

const built = [
  'apps/dashboard/dist/index.html',
  'apps/dashboard/console/dist/index.html',
  'apps/guides/dist/llms.txt',
  'apps/till/dist/index.html',
  'apps/verify/dist/manifest.json',
  'packages/component/dist',
]

/** The tests run against the built front ends. */
export function setup(): void {
  for (const path of built)
    if (!existsSync(new URL(`../${path}`, import.meta.url)))
      throw new Error(`${path} is not built. Run \`npm run build\` first.`)
}
