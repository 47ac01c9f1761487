import { execFile } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const release = 'bookworm'
const certificates = '/etc/ssl/certs/ca-certificates.crt'

type ImageConfig = {
  User: string
  WorkingDir: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  Healthcheck: { Test: string[] }
}

/** An image as its Dockerfile makes it, and its files in a folder. */
export type BuiltImage = { config: ImageConfig; root: string } & AsyncDisposable

/**
 * Builds the Dockerfile, whole, without a registry of images: in place of the two images that it begins with is a new Debian, without and with
 * this Node and its npm. Needs root, buildah and debootstrap.
 */
export async function buildImage(): Promise<BuiltImage> {
  await using resources = new AsyncDisposableStack()
  // On a disk: each layer is a copy of all files.
  const folder = mkdtempSync('/var/tmp/vidimus-image-')
  resources.defer(async () => void (await run('rm', ['-rf', folder])))
  const storage = [`--root=${folder}/images`, `--runroot=${folder}/run`, '--storage-driver=vfs']
  const buildah = async (...args: string[]) =>
    (await run('buildah', [...storage, ...args], { maxBuffer: 64 * 2 ** 20, timeout: 600_000 })).stdout.trim()
  const build = (tag: string, context: string, ...more: string[]) =>
    buildah('build', '--quiet', '--isolation=chroot', '--format=docker', `--tag=${tag}`, ...more, context)

  const base = join(folder, 'base')
  await run('debootstrap', ['--variant=minbase', release, base], { timeout: 600_000, maxBuffer: 2 ** 24 })
  const node = join(folder, 'node')
  await addNode(node)
  writeFileSync(join(folder, 'Base'), 'FROM scratch\nCOPY base /\n')
  writeFileSync(
    join(folder, 'Node'),
    `FROM localhost/base\nCOPY node /usr/local\n${existsSync(certificates) ? `COPY certificates ${certificates}\nENV NODE_EXTRA_CA_CERTS=${certificates}\n` : ''}`,
  )
  if (existsSync(certificates)) copyFileSync(certificates, join(folder, 'certificates'))
  await build('localhost/base', folder, `--file=${folder}/Base`)
  await build('localhost/node', folder, `--file=${folder}/Node`)
  const settings = join(homedir(), '.npmrc')
  const secret = existsSync(settings) ? [`--secret=id=npmrc,src=${settings}`] : []
  const images = ['--build-arg=NODE_IMAGE=localhost/node', '--build-arg=BASE_IMAGE=localhost/base']
  await build('localhost/vidimus', '.', ...images, ...secret)

  const { Docker } = JSON.parse(await buildah('inspect', '--type=image', 'localhost/vidimus'))
  const container = await buildah('from', '--pull-never', 'localhost/vidimus')
  const root = await buildah('mount', container)
  const owned = resources.move()
  return { config: Docker.config, root, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** The files of a Node image that a build needs. */
async function addNode(folder: string): Promise<void> {
  // Not `npm root --global`, which is beside the Node that runs this: that of this repository comes without npm.
  const command = (await run('which', ['npm'])).stdout.trim()
  mkdirSync(join(folder, 'bin'), { recursive: true })
  copyFileSync(process.execPath, join(folder, 'bin/node'))
  cpSync(dirname(dirname(realpathSync(command))), join(folder, 'lib/node_modules/npm'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'bin/npm'))
}
