import { existsSync } from 'node:fs'

/** What is tested is what is served, so it has to be there. */
export function setup(): void {
  const page = new URL('../apps/dashboard/dist/index.html', import.meta.url)
  if (!existsSync(page)) throw new Error('The dashboard is not built. Run `npm run build` first.')
}
