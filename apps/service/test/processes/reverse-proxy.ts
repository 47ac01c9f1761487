import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readBlocks } from '../../../../tools/documents/read-blocks.ts'
import { waitUntil } from '../wait-until.ts'
import { accepts, writeHaproxyConfig } from './haproxy.ts'
import { freePort } from './redis-server.ts'

export type ReverseProxy = {
  port: number
  /** The private authority that issued the proxy's certificate. */
  ca: string
} & AsyncDisposable

type Start = { folder: string; port: number; http_port: number; upstream: string }
type Program = { command: string; args: string[]; environment?: Record<string, string> }

const readExample = (name: string) =>
  readFileSync(new URL(`../../../../deploy/${name}`, import.meta.url), 'utf8')

/** How each proxy is run with the operators' file: other ports and paths, and nothing else. */
const programs = {
  async nginx({ folder, port, http_port, upstream }: Start): Promise<Program> {
    const example = readExample('nginx.conf')
      .replace('server 127.0.0.1:8080;', `server ${upstream};`)
      .replace('listen 80;', `listen 127.0.0.1:${http_port};`)
      .replace('listen 443 ', `listen 127.0.0.1:${port} `)
      .replaceAll('verify.example.com', 'localhost')
      .replaceAll('/etc/nginx/', `${folder}/`)
    writeFileSync(join(folder, 'vidimus.conf'), example)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    )
    const main = [
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}`,
      `http { access_log off; ${temporary.join(' ')} include ${folder}/vidimus.conf; }`,
    ]
    writeFileSync(join(folder, 'nginx.conf'), main.join('\n'))
    const args = ['-c', join(folder, 'nginx.conf'), '-e', 'stderr']
    execFileSync('nginx', ['-t', '-q', ...args])
    return { command: 'nginx', args }
  },
  async caddy({ folder, port, http_port, upstream }: Start): Promise<Program> {
    const file = join(folder, 'Caddyfile')
    const example = readExample('Caddyfile')
      .replace('{\n\tservers', `{\n\thttp_port ${http_port}\n\thttps_port ${port}\n\tservers`)
      .replace('# tls /etc/caddy/tls.pem /etc/caddy/tls.key', `tls ${folder}/tls.pem ${folder}/tls.key`)
    writeFileSync(file, example)
    const environment = {
      BASE_URL: 'https://localhost',
      UPSTREAM: upstream,
      CADDY_ADMIN: `127.0.0.1:${await freePort()}`,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    }
    return { command: 'caddy', args: ['run', '--adapter', 'caddyfile', '--config', file], environment }
  },
  async haproxy({ folder, port, upstream }: Start): Promise<Program> {
    const [certificate, file] = [join(folder, 'vidimus.pem'), join(folder, 'haproxy.cfg')]
    const parts = ['tls.pem', 'tls.key'].map((name) => readFileSync(join(folder, name), 'utf8'))
    writeFileSync(certificate, parts.join(''))
    const config = writeHaproxyConfig({
      database: `127.0.0.1:${await freePort()}`,
      service: `127.0.0.1:${port} ssl crt ${certificate} alpn h2,http/1.1`,
      internal: `127.0.0.1:${await freePort()}`,
      nodes: [],
      processes: [upstream],
    })
    writeFileSync(file, config)
    return { command: 'haproxy', args: ['-db', '-f', file] }
  },
}

/** Runs a proxy with the operators' example in front of a service, with a certificate made by the commands of docs/operate/staging.md. */
export async function startReverseProxy(
  kind: keyof typeof programs,
  service_address: string,
): Promise<ReverseProxy> {
  const folder = mkdtempSync(join(tmpdir(), `vidimus-${kind}-`))
  makeStagingCertificates(folder, 'localhost')
  const port = await freePort()
  const upstream = new URL(service_address).host
  const { command, args, environment } = await programs[kind]({
    folder,
    port,
    http_port: await freePort(),
    upstream,
  })
  const env = { PATH: process.env['PATH'], ...environment }
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const log: string[] = []
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk.toString()))
  await waitUntil(() => {
    if (child.exitCode !== null) throw new Error(`${kind} did not start:\n${log.join('')}`)
    return accepts(port)
  })
  return {
    port,
    ca: readFileSync(join(folder, 'ca.pem'), 'utf8'),
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit')
      // They end at once on this signal, with the processes they started.
      child.kill('SIGTERM')
      await gone
      rmSync(folder, { recursive: true })
    },
  }
}

/** Runs the three commands of docs/operate/staging.md in a folder, for another name. */
function makeStagingCertificates(folder: string, name: string): void {
  const block = readBlocks('docs/operate/staging.md').find(({ text }) => text.includes('/ca.pem'))
  if (block === undefined) throw new Error('docs/operate/staging.md has no commands for certificates')
  const commands = block.text
    .replaceAll('staging.example.com', name)
    .replaceAll(/ staging(?=[/\n])/g, ` ${folder}`)
  execFileSync('sh', ['-ec', commands], { stdio: 'ignore' })
}
