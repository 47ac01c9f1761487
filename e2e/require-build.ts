import { existsSync } from 'node:fs'

/** The tests run against the built dashboard. */
export function setup(): void {
  const page = new URL('../apps/dashboard/dist/index.html', import.meta.url)
  if (!existsSync(page)) throw new Error('The dashboard is not built. Run `npm run build` first.')
}
