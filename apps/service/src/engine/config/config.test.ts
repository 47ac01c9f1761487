import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, readConfig, readServingConfig } from './config.ts'

const required = {
  DATABASE_URL: 'postgres://localhost/vidimus',
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
}

function mistakes(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
}

test('two variables are enough; the others have their documented defaults', () => {
  const { config, secrets } = readConfig(required)

  expect(config).toMatchObject({
    BASE_URL: 'http://localhost:8080',
    HOST: '0.0.0.0',
    PORT: 8080,
    METRICS_HOST: '127.0.0.1',
    METRICS_PORT: 9464,
    OPERATOR_HOST: '127.0.0.1',
    OPERATOR_PORT: 'off',
    DB_POOL_SIZE: 10,
    CELL: '0',
    WEBHOOK_BACKOFF_SECONDS: [5, 300, 1800, 7200, 18_000],
    RATE_LIMITS: {
      key: { requests: 6000, seconds: 60 },
      ip: { requests: 30_000, seconds: 60 },
      session: { requests: 600, seconds: 60 },
      authorization: { requests: 1000, seconds: 60 },
    },
    LOG_LEVEL: 'info',
  })
  expect(secrets.MASTER_KEY).toHaveLength(32)
  expect(JSON.stringify(config)).not.toContain('postgres://')
})

test('lists all mistakes at once, each with its variable', () => {
  const found = mistakes({
    DATABASE_URL: 'mysql://localhost',
    MASTER_KEY: 'c2hvcnQ=',
    PORT: '70000',
    BASE_URL: 'verify.example.com',
    RATE_LIMITS: 'key=1/1',
    WEBHOOK_EGRESS_ALLOW: '10.0.0.0/8,nowhere,10.0.0.0/40',
    CELL: 'ab',
    LOG_LEVEL: 'loud',
    SIGNING_KEY_FILE: 'key.pem',
  })

  const variables = found.map((mistake) => mistake.split(' ')[0])
  expect(new Set(variables)).toEqual(
    new Set([
      'DATABASE_URL',
      'MASTER_KEY',
      'PORT',
      'BASE_URL',
      'RATE_LIMITS',
      'WEBHOOK_EGRESS_ALLOW',
      'CELL',
      'LOG_LEVEL',
      'SIGNING_KEY_FILE',
    ]),
  )
  expect(found.join()).not.toContain('c2hvcnQ=')
})

test('CELLS lists several cells that a pairing code can begin with, this one included', () => {
  const cellsOf = (CELL: string, CELLS: string) => readConfig({ ...required, CELL, CELLS }).config.CELLS
  expect(cellsOf('b', 'a, b,7')).toEqual(['a', 'b', '7'])
  expect(mistakes({ ...required, CELL: 'c', CELLS: 'a,b' })).toEqual([
    'CELLS must contain this cell, CELL, which is c',
  ])
  for (const CELLS of ['a', 'a,a', 'a,B', 'a,i', 'a,bc', 'a,'])
    expect(mistakes({ ...required, CELL: 'a', CELLS })[0]).toMatch(
      /^CELLS must be two or more different cells/,
    )
})

test('parses ranges and name servers one by one and names each that is not valid', () => {
  const { config } = readConfig({
    ...required,
    WEBHOOK_EGRESS_ALLOW: ' 127.0.0.0/8, ::1 ,',
    DNS_SERVERS: '9.9.9.9,127.0.0.1:5353, [2620:fe::fe]:53',
  })
  expect(config.WEBHOOK_EGRESS_ALLOW).toEqual([
    { address: '127.0.0.0', prefix: 8, family: 'ipv4' },
    { address: '::1', prefix: 128, family: 'ipv6' },
  ])
  expect(config.DNS_SERVERS).toEqual(['9.9.9.9', '127.0.0.1:5353', '[2620:fe::fe]:53'])

  expect(mistakes({ ...required, WEBHOOK_EGRESS_ALLOW: '10.0.0.0/8/8,fe80::1%lo' })).toEqual([
    'WEBHOOK_EGRESS_ALLOW 10.0.0.0/8/8 is not an address range such as 10.0.0.0/8',
    'WEBHOOK_EGRESS_ALLOW fe80::1%lo is not an address range such as 10.0.0.0/8',
  ])
  expect(mistakes({ ...required, DNS_SERVERS: 'dns.example,9.9.9.9:99999' })).toEqual([
    'DNS_SERVERS dns.example is not a name server address such as 9.9.9.9 or 127.0.0.1:5353',
    'DNS_SERVERS 9.9.9.9:99999 is not a name server address such as 9.9.9.9 or 127.0.0.1:5353',
  ])
})

test('reports missing variables as required', () => {
  expect(mistakes({})).toEqual([
    expect.stringMatching(/^DATABASE_URL is required/),
    'MASTER_KEY or MASTER_KEY_URI is required',
  ])
})

test('there is one master key, and a previous one only while it is being changed', () => {
  const { DATABASE_URL, MASTER_KEY } = required
  const uri = 'pkcs11:token=a;object=b?module-path=/m.so&pin-source=file:/pin'
  const { config, secrets } = readConfig({
    DATABASE_URL,
    MASTER_KEY_URI: uri,
    MASTER_KEY_PREVIOUS: MASTER_KEY,
  })
  expect(config.MASTER_KEY_URI).toEqual({ token: 'a', object: 'b', module_path: '/m.so', pin_file: '/pin' })
  expect(secrets.MASTER_KEY).toBeUndefined()
  expect(mistakes({ DATABASE_URL, MASTER_KEY, MASTER_KEY_URI: uri })).toEqual([
    'MASTER_KEY and MASTER_KEY_URI are both set; while the master key is being changed, set the old one as MASTER_KEY_PREVIOUS or MASTER_KEY_PREVIOUS_URI',
  ])
  expect(mistakes({ ...required, MASTER_KEY_PREVIOUS: MASTER_KEY, MASTER_KEY_PREVIOUS_URI: uri })).toEqual([
    'MASTER_KEY_PREVIOUS and MASTER_KEY_PREVIOUS_URI are both set',
  ])
  expect(
    mistakes({ DATABASE_URL, MASTER_KEY_URI: uri.replace('object=b', 'object=b;type=private') }),
  ).toEqual(['MASTER_KEY_URI must name a secret key: type=secret-key'])
})

test('every variable can come from a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vidimus-config-'))
  const file = join(folder, 'value')
  await writeFile(file, `${required.MASTER_KEY}\n`)

  const { secrets } = readConfig({ DATABASE_URL: required.DATABASE_URL, MASTER_KEY_FILE: file })
  expect(secrets.MASTER_KEY).toEqual(Buffer.alloc(32, 7))
  expect(mistakes({ ...required, MASTER_KEY_FILE: file })).toEqual([
    'MASTER_KEY and MASTER_KEY_FILE are both set',
  ])
  expect(mistakes({ ...required, REDIS_URL_FILE: join(folder, 'missing') })).toEqual([
    `REDIS_URL_FILE names ${join(folder, 'missing')}, which does not exist`,
  ])
  const certificate = join(folder, 'missing.pem')
  expect(
    mistakes({ ...required, DATABASE_URL: `${required.DATABASE_URL}?sslrootcert=${certificate}` }),
  ).toEqual([`DATABASE_URL names ${certificate}, which does not exist`])
  await rm(folder, { recursive: true })
})

test('parses lists into the types that the code uses', () => {
  const { config } = readConfig({
    ...required,
    RATE_LIMITS: 'key=10/1,ip=20/2,session=30/3',
    TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8,192.0.2.7',
    BASE_URL: 'https://verify.example.com/',
    METRICS_PORT: 'off',
    REDIS_URL: '',
  })

  expect(config).toMatchObject({
    RATE_LIMITS: {
      key: { requests: 10, seconds: 1 },
      ip: { requests: 20, seconds: 2 },
      session: { requests: 30, seconds: 3 },
      authorization: { requests: 1000, seconds: 60 },
    },
    BASE_URL: 'https://verify.example.com',
    METRICS_PORT: 'off',
  })
  expect(config.TRUSTED_PROXIES).toEqual([
    { address: '10.0.0.0', prefix: 8, family: 'ipv4' },
    { address: 'fd00::', prefix: 8, family: 'ipv6' },
    { address: '192.0.2.7', prefix: 32, family: 'ipv4' },
  ])
  const given = 'key=10/1,ip=20/2,session=30/3'
  expect(
    readConfig({ ...required, RATE_LIMITS: `${given},authorization=40/4` }).config.RATE_LIMITS,
  ).toMatchObject({ authorization: { requests: 40, seconds: 4 } })
  for (const wrong of [`${given},key=1/1`, `${given},openid=1/1`, 'key=1/1,ip=1/1,authorization=1/1'])
    expect(mistakes({ ...required, RATE_LIMITS: wrong })).toEqual([
      expect.stringContaining('RATE_LIMITS must be off, or key='),
    ])
  expect(readConfig({ ...required, RATE_LIMITS: 'off' }).config.RATE_LIMITS).toBe('off')
})

test('.env.example lists every variable with its default, and docs/operate/configuration.md explains it', () => {
  const repository = new URL('../../../../../', import.meta.url)
  const example = readFileSync(new URL('.env.example', repository), 'utf8')
  const shown = Object.fromEntries(
    [...example.matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )

  expect(Object.keys(shown).toSorted()).toEqual(variablesRead().toSorted())
  expect(readConfig({ ...shown, ...required })).toEqual(readConfig(required))
  const explained = readFileSync(new URL('docs/operate/configuration.md', repository), 'utf8')
  expect(Object.keys(shown).filter((name) => !explained.includes(`\`${name}\``))).toEqual([])
})

/** The variables that `readConfig` reads, without their NAME_FILE variants. */
function variablesRead(): string[] {
  const read = new Set<string>()
  readConfig(
    new Proxy<NodeJS.ProcessEnv>(required, {
      get(target, name) {
        read.add(String(name))
        return target[String(name)]
      },
    }),
  )
  return [...read].filter((name) => !read.has(name.replace(/_FILE$/, '')) || !name.endsWith('_FILE'))
}

test('the console has an origin of its own: that of its port here, or the one that is set', () => {
  const read = (more: Record<string, string>) => readConfig({ ...required, ...more }).config.OPERATOR_URL

  expect(read({ OPERATOR_PORT: '9470' })).toBe('http://localhost:9470')
  expect(read({ OPERATOR_URL: 'https://console.example.com/' })).toBe('https://console.example.com')
  expect(mistakes({ ...required, OPERATOR_URL: 'http://localhost:8080/console' })).toEqual([
    'OPERATOR_URL must have another origin than BASE_URL',
  ])
})

test('the sandbox wallet is off in production unless it is switched on', () => {
  const given = (more: Record<string, string>) => readConfig({ ...required, ...more }).config.SANDBOX

  expect(given({})).toBe('on')
  expect(given({ NODE_ENV: 'production' })).toBe('off')
  expect(given({ NODE_ENV: 'production', SANDBOX: 'on' })).toBe('on')
})

test('[GEN-13] production does not start without a public https URL and rate limits; other commands still run', () => {
  const production = { ...required, NODE_ENV: 'production', BASE_URL: 'https://verify.example.com' }
  const refusals = (more: NodeJS.ProcessEnv) => {
    try {
      readServingConfig({ ...production, ...more })
      return []
    } catch (error) {
      if (error instanceof ConfigError) return error.mistakes
      throw error
    }
  }
  expect(refusals({})).toEqual([])
  expect(refusals({ BASE_URL: 'http://verify.example.com', RATE_LIMITS: 'off' })).toEqual([
    'BASE_URL must be an https URL in production; it is http://verify.example.com',
    'RATE_LIMITS must not be off in production',
  ])
  expect(refusals({ BASE_URL: '' })).toEqual(['BASE_URL is required in production: the public https URL'])
  expect(refusals({ OIDC_ISSUER: 'http://sso.example.com', OIDC_CLIENT_ID: 'x' })).toEqual([
    'OIDC_ISSUER must be an https URL in production; it is http://sso.example.com',
  ])
  expect(refusals({ NODE_ENV: 'development', BASE_URL: '', RATE_LIMITS: 'off' })).toEqual([])
  expect(mistakes({ ...required, NODE_ENV: 'production' })).toEqual([])
})

test('the mail server and the sender are set together, and no mistake repeats the password', () => {
  const mail = {
    SMTP_URL: 'smtp://vidimus:hunter2@mail.example.com',
    MAIL_FROM: 'Vidimus <vidimus@example.com>',
  }
  const { config, secrets } = readConfig({ ...required, ...mail })
  expect(secrets.SMTP_URL).toMatchObject({ host: 'mail.example.com', tls: 'required', password: 'hunter2' })
  expect(JSON.stringify(config)).not.toContain('hunter2')
  expect(mistakes({ ...required, SMTP_URL: mail.SMTP_URL })).toEqual([
    'SMTP_URL and MAIL_FROM must be set together',
  ])
  expect(mistakes({ ...required, ...mail, MAIL_FROM: 'a@b.example, c@d.example' })).toEqual([
    'MAIL_FROM must be an address such as Vidimus <vidimus@example.com>',
  ])
  expect(mistakes({ ...required, ...mail, SMTP_URL: `${mail.SMTP_URL}?tls=off` })).toEqual([
    'SMTP_URL would send the password unencrypted; remove tls=off',
  ])
})

test('in production mail is encrypted, except to a server on the same machine', () => {
  const production = { ...required, NODE_ENV: 'production', BASE_URL: 'https://verify.example.com' }
  const readProduction = (SMTP_URL: string) =>
    readServingConfig({ ...production, SMTP_URL, MAIL_FROM: 'a@b.example' })
  expect(() => readProduction('smtp://mail.example.com?tls=off')).toThrow(
    'SMTP_URL must use TLS in production',
  )
  for (const url of ['smtp://mail.example.com', 'smtps://mail.example.com', 'smtp://127.0.0.1:25?tls=off'])
    expect(readProduction(url).secrets.SMTP_URL).toBeDefined()
})
