import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { frontEndFolder } from '../../app.ts'
import { printMessage } from '../command.ts'

const repository = fileURLToPath(new URL('../../../../../../', import.meta.url))
/** In the order in which they are built: the holder's page contains the component. */
const workspaces = [
  '@vidimus/component',
  '@vidimus/verify',
  '@vidimus/dashboard',
  '@vidimus/till',
  '@vidimus/guides',
]

/** Builds the pages for the browser in a fresh clone. An installed program brings them. A failed build does not prevent a start. */
export async function buildFrontEnds(
  { isBuilt, build } = { isBuilt: frontEndsAreBuilt, build: runBuild },
): Promise<void> {
  if (isBuilt()) return
  printMessage(
    "Building the dashboard, the holder's page, the till and the guides. This happens once and takes about a minute.",
  )
  if (!(await build()))
    printMessage('They could not be built. The API works without them; `npm run build` shows why.')
}

function frontEndsAreBuilt(): boolean {
  return ['dashboard', 'dashboard/console', 'verify', 'till', 'guides'].every((name) =>
    existsSync(frontEndFolder(name)),
  )
}

/** Whether the build succeeded. What it prints as an error is shown. */
async function runBuild(): Promise<boolean> {
  const args = ['run', '--silent', 'build', ...workspaces.map((name) => `--workspace=${name}`)]
  const npm = spawn('npm', args, { cwd: repository, stdio: ['ignore', 'ignore', 'inherit'] })
  return Promise.race([
    once(npm, 'exit').then(([status]) => status === 0),
    // Without npm there is nothing to build with.
    once(npm, 'error').then(() => false),
  ])
}
