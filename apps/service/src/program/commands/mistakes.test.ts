import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import { runCommand } from '../../../test/processes/run-command.ts'
import { runProgram } from '../../../test/processes/run-program.ts'
import { testEnvironment } from '../../../test/service.ts'

const database = await createTestDatabase()
const folder = mkdtempSync(join(tmpdir(), 'vidimus-mistakes-'))
const file = (name: string) => join(folder, name)
let taken: Server
let silent: Server
let port: number
let silentPort: number

beforeAll(async () => {
  taken = createServer().listen(0, '127.0.0.1')
  // Accepts connections and closes them, as another program than PostgreSQL might.
  silent = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await Promise.all([once(taken, 'listening'), once(silent, 'listening')])
  port = (taken.address() as AddressInfo).port // a TCP server has a port
  silentPort = (silent.address() as AddressInfo).port
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' })
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', file('key.pem'))
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', file('other.pem'))
  openssl(
    'req',
    '-x509',
    '-new',
    '-key',
    file('key.pem'),
    '-subj',
    '/CN=a',
    '-days',
    '1',
    '-out',
    file('self.pem'),
  )
  writeFileSync(file('text.pem'), 'not a certificate')
  writeFileSync(file('list.json'), '{')
  writeFileSync(file('closed'), '', { mode: 0 })
  mkdirSync(file('closed-folder'), { mode: 0o500 })
  // The first command creates the key ring of this database.
  await runProgram(['admin', 'tenant', 'list'], testEnvironment(database.url))
})
afterAll(async () => {
  taken.close()
  silent.close()
  rmSync(folder, { recursive: true })
  await database[Symbol.asyncDispose]()
})

const user = process.getuid?.()
const explainClosed = () =>
  `names ${file('closed')}, which user ${user} may not read: run \`chown ${user} ${file('closed')}\`, or make it and its folders readable for that user`

type Mistake = {
  command?: string
  /** Found while the configuration is read, before anything is opened: the command runs in this process. */
  read?: true
  variables: () => Record<string, string>
  line: () => string
}

const mistakes: Record<string, Mistake> = {
  'a DATABASE_URL that is not a URL': {
    read: true,
    variables: () => ({ DATABASE_URL: 'postgres://ann:pa#ss@127.0.0.1:5432/db' }),
    line: () =>
      'The configuration has a mistake: DATABASE_URL must be a URL such as postgres://user:password@127.0.0.1:5432/vidimus; percent-encode special characters in the password',
  },
  'a DATABASE_URL of another database system, in dev': {
    command: 'dev',
    variables: () => ({ DATABASE_URL: 'mysql://127.0.0.1/db' }),
    line: () =>
      'The configuration has a mistake: DATABASE_URL must be a URL such as postgres://user:password@127.0.0.1:5432/vidimus; percent-encode special characters in the password',
  },
  'a PORT that is not a number': {
    read: true,
    variables: () => ({ PORT: 'eighty' }),
    line: () => 'The configuration has a mistake: PORT must be a whole number',
  },
  'a PORT that is not a number, in dev': {
    read: true,
    command: 'dev',
    variables: () => ({ PORT: '80a' }),
    line: () => 'The configuration has a mistake: PORT must be a whole number',
  },
  'a PORT that does not exist, in dev': {
    read: true,
    command: 'dev',
    variables: () => ({ PORT: '99999' }),
    line: () => 'The configuration has a mistake: PORT must be 0-65535',
  },
  'a MASTER_KEY that is too short': {
    read: true,
    variables: () => ({ MASTER_KEY: 'c2hvcnQ=' }),
    line: () =>
      'The configuration has a mistake: MASTER_KEY must be 32 bytes in base64; create one with `openssl rand -base64 32`',
  },
  'a MASTER_KEY of another database': {
    command: 'admin tenant list',
    variables: () => ({ MASTER_KEY: Buffer.alloc(32, 9).toString('base64') }),
    line: () =>
      'MASTER_KEY does not match this database. Set the key that the database was created with; if it was replaced, set the earlier one as MASTER_KEY_PREVIOUS.',
  },
  'a MASTER_KEY_FILE that is missing': {
    read: true,
    variables: () => ({ MASTER_KEY: '', MASTER_KEY_FILE: file('absent') }),
    line: () =>
      `The configuration has a mistake: MASTER_KEY_FILE names ${file('absent')}, which does not exist`,
  },
  'a MASTER_KEY_FILE of another user': {
    variables: () => ({ MASTER_KEY: '', MASTER_KEY_FILE: file('closed') }),
    line: () => `The configuration has a mistake: MASTER_KEY_FILE ${explainClosed()}`,
  },
  'a DATABASE_URL_FILE of another user': {
    command: 'migrate',
    variables: () => ({ DATABASE_URL: '', DATABASE_URL_FILE: file('closed') }),
    line: () => `The configuration has a mistake: DATABASE_URL_FILE ${explainClosed()}`,
  },
  'a REDIS_URL that is not a URL': {
    read: true,
    variables: () => ({ REDIS_URL: 'redis://:6379:1' }),
    line: () => 'The configuration has a mistake: REDIS_URL must be a URL such as redis://127.0.0.1:6379',
  },
  'a key file that is missing': {
    read: true,
    variables: () => ({ SIGNING_KEY_FILE: file('absent'), SIGNING_CERT_FILE: file('self.pem') }),
    line: () =>
      `The configuration has a mistake: SIGNING_KEY_FILE names ${file('absent')}, which does not exist`,
  },
  'a key file of another user': {
    variables: () => ({ SIGNING_KEY_FILE: file('closed'), SIGNING_CERT_FILE: file('self.pem') }),
    line: () => `The configuration has a mistake: SIGNING_KEY_FILE ${explainClosed()}`,
  },
  'a folder for checkpoints that is not writable': {
    command: 'work',
    variables: () => ({ AUDIT_CHECKPOINT_DIR: file('closed-folder') }),
    line: () =>
      `The configuration has a mistake: AUDIT_CHECKPOINT_DIR names ${file('closed-folder')}, in which user ${user} may not write (EACCES): run \`chown ${user} ${file('closed-folder')}\`, or mount a folder that is writable for that user`,
  },
  'a certificate file that is a folder': {
    read: true,
    variables: () => ({ SIGNING_KEY_FILE: file('key.pem'), SIGNING_CERT_FILE: folder }),
    line: () => `The configuration has a mistake: SIGNING_CERT_FILE names ${folder}, which is a folder`,
  },
  'a self-signed certificate': {
    variables: () => ({ SIGNING_KEY_FILE: file('key.pem'), SIGNING_CERT_FILE: file('self.pem') }),
    line: () =>
      "The configuration has a mistake: SIGNING_KEY_FILE and SIGNING_CERT_FILE cannot be used: the verifier's certificate is self-signed; wallets refuse such certificates",
  },
  'a database on another machine without TLS, in production': {
    variables: () => ({
      NODE_ENV: 'production',
      BASE_URL: 'https://verify.example.com',
      RATE_LIMITS: '',
      DATABASE_URL: 'postgres://vidimus:secret@db.invalid/vidimus',
    }),
    line: () =>
      'The configuration has a mistake: DATABASE_URL must say whether TLS is used in production: add sslmode=verify-full, or sslmode=disable if nobody else can read the network to the database',
  },
  'a file with the authority of the database that is missing': {
    command: 'migrate',
    variables: () => ({ DATABASE_URL: `${database.url}?sslrootcert=${file('absent')}` }),
    line: () => `The configuration has a mistake: DATABASE_URL names ${file('absent')}, which does not exist`,
  },
  'a database without TLS that was asked for it': {
    command: 'migrate',
    variables: () => ({ DATABASE_URL: `${database.url}?sslmode=require` }),
    line: () =>
      `PostgreSQL at ${new URL(database.url).host} does not support TLS. Switch it on there, or set sslmode=disable in DATABASE_URL.`,
  },
  'a self-signed certificate, in production': {
    variables: () => ({
      NODE_ENV: 'production',
      BASE_URL: 'https://verify.example.com',
      RATE_LIMITS: '',
      SIGNING_KEY_FILE: file('key.pem'),
      SIGNING_CERT_FILE: file('self.pem'),
    }),
    line: () =>
      "The configuration has a mistake: SIGNING_KEY_FILE and SIGNING_CERT_FILE cannot be used: the verifier's certificate is self-signed; wallets refuse such certificates",
  },
  'no certificate, in production': {
    read: true,
    variables: () => ({ NODE_ENV: 'production', BASE_URL: 'https://verify.example.com', RATE_LIMITS: '' }),
    line: () =>
      'The configuration has a mistake: SIGNING_KEY_FILE (or SIGNING_KEY_URI) and SIGNING_CERT_FILE are required in production: wallets do not trust a self-made certificate',
  },
  'a certificate that is not PEM': {
    variables: () => ({ SIGNING_KEY_FILE: file('key.pem'), SIGNING_CERT_FILE: file('text.pem') }),
    line: () =>
      'The configuration has a mistake: SIGNING_KEY_FILE and SIGNING_CERT_FILE cannot be used: the verifier has no certificate',
  },
  'a list of trust lists that is missing': {
    read: true,
    variables: () => ({ TRUST_LISTS_FILE: file('absent') }),
    line: () =>
      `The configuration has a mistake: TRUST_LISTS_FILE names ${file('absent')}, which does not exist`,
  },
  'a list of trust lists that is not JSON': {
    read: true,
    variables: () => ({ TRUST_LISTS_FILE: file('list.json') }),
    line: () =>
      `The configuration has a mistake: TRUST_LISTS_FILE names ${file('list.json')}, which is not JSON`,
  },
  'a table of PID types that is missing': {
    read: true,
    variables: () => ({ PID_TYPES_FILE: file('absent') }),
    line: () =>
      `The configuration has a mistake: PID_TYPES_FILE names ${file('absent')}, which does not exist`,
  },
  'a table of wallets that is missing': {
    read: true,
    variables: () => ({ WALLETS_FILE: file('absent') }),
    line: () => `The configuration has a mistake: WALLETS_FILE names ${file('absent')}, which does not exist`,
  },
  'a database that does not run': {
    variables: () => ({ DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none' }),
    line: () => "Can't connect to PostgreSQL at 127.0.0.1:1. Is it running?",
  },
  'a database that does not run, by its name': {
    command: 'migrate',
    variables: () => ({ DATABASE_URL: 'postgres://postgres@localhost:1/none' }),
    line: () => "Can't connect to PostgreSQL at localhost:1. Is it running?",
  },
  'a socket that does not exist': {
    command: 'migrate',
    variables: () => ({ DATABASE_URL: `postgres://postgres@localhost/none?host=${folder}` }),
    line: () => "Can't connect to PostgreSQL at localhost:5432: the socket does not exist. Is it running?",
  },
  'a server that is not PostgreSQL': {
    command: 'migrate',
    variables: () => ({ DATABASE_URL: `postgres://postgres@127.0.0.1:${silentPort}/none` }),
    line: () => `127.0.0.1:${silentPort} closed the connection. Is it PostgreSQL, and is it running?`,
  },
  'a database that does not exist': {
    variables: () => ({ DATABASE_URL: database.url.replace(/\/[^/]*$/, '/vidimus_no_such_database') }),
    line: () =>
      `PostgreSQL at ${new URL(database.url).hostname}:${new URL(database.url).port || 5432} does not have this database.`,
  },
  'a port that is in use': {
    variables: () => ({ HOST: '127.0.0.1', PORT: String(port) }),
    line: () => `Port ${port} at 127.0.0.1 is in use. Choose another with PORT or METRICS_PORT.`,
  },
  'a HOST that is not of this machine': {
    variables: () => ({ HOST: '192.0.2.1', PORT: '0' }),
    line: () => 'A port at 192.0.2.1 cannot be opened: HOST is not an address of this machine.',
  },
}

test.each(Object.entries(mistakes))('%s is a line, not a stack trace', async (_name, mistake) => {
  const { command = 'serve', variables, line } = mistake
  const environment = {
    ...testEnvironment(database.url),
    LOG_LEVEL: 'silent',
    METRICS_PORT: 'off',
    ...variables(),
  }
  const args = command === 'dev' ? ['dev', '--folder', file('dev')] : command.split(' ')
  const { status, stdout, stderr } =
    mistake.read === true
      ? await runCommand(args, environment)
      : await runProgram(args, environment, { privileges: 'none' })

  expect([status, stdout, stderr]).toEqual([1, '', `${line()}\n`])
})
