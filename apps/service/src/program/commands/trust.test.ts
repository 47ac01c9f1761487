import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createIssuer } from '@vidimus/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAuthority, joinPem } from '../../../test/trust/authorities.ts'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import { runCommand } from '../../../test/processes/run-command.ts'
import { runProgram } from '../../../test/processes/run-program.ts'
import { reply, startReceiver } from '../../../test/network/receiver.ts'
import { testEnvironment } from '../../../test/service.ts'
import { listType, newListOperator, pidIssuance, writeTrustList } from '../../../test/trust/trust-list.ts'
import { describeCertificate } from '../../trust/anchors/list-anchors.ts'

const folder = mkdtempSync(join(tmpdir(), 'vidimus-trust-'))
const root = newAuthority('Ministry Root').certificate
const rootFile = join(folder, 'root.pem')
const database = await createTestDatabase()

beforeAll(() => writeFileSync(rootFile, joinPem(root)))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database[Symbol.asyncDispose]()
})

/** Some tests start the program several times. */
const timeout = 90_000
const vidimus = (...args: string[]) => runCommand(args, testEnvironment(database.url))
const vidimusProcess = (...args: string[]) => runProgram(args, testEnvironment(database.url))
const lines = (text: string): Record<string, unknown>[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))

test(
  '[TRUST-3] anchors are added from a PEM file, listed with their source, and removed',
  { timeout },
  async () => {
    const { fingerprint } = describeCertificate(root)
    const added = await vidimusProcess(
      'admin',
      'trust',
      'add',
      '--env',
      'live',
      '--file',
      rootFile,
      '--types',
      'a, b',
      '--json',
    )
    expect(added).toMatchObject({ status: 0 })
    expect(lines(added.stdout)).toEqual([
      {
        environment: 'live',
        added: [{ ...describeCertificate(root), document_types: ['a', 'b'], role: 'issuing', entity: null }],
      },
    ])

    const listed = lines((await vidimusProcess('admin', 'trust', 'list', '--json')).stdout)
    expect(listed.map(({ environment, source }) => [environment, source])).toEqual([
      ['live', 'operator'],
      ['test', 'sandbox'],
      ['test', 'sandbox'],
    ])
    expect(listed[0]).toMatchObject({
      fingerprint,
      subject: 'C=UT, CN=Ministry Root',
      document_types: ['a', 'b'],
    })

    const remove = ['admin', 'trust', 'remove', '--env', 'live', '--fingerprint', fingerprint]
    expect(await vidimusProcess(...remove)).toMatchObject({ status: 0 })
    expect(await vidimus(...remove)).toMatchObject({ status: 1, stdout: '' })
    expect(lines((await vidimus('admin', 'trust', 'list', '--json')).stdout)).toHaveLength(2)
  },
)

test('a certificate is added in several roles, and removed in one or in all', { timeout }, async () => {
  const { fingerprint } = describeCertificate(root)
  const add = (...more: string[]) =>
    vidimus('admin', 'trust', 'add', '--env', 'live', '--file', rootFile, ...more)
  const remove = (...more: string[]) =>
    vidimus('admin', 'trust', 'remove', '--env', 'live', '--fingerprint', fingerprint, ...more)
  const roles = async () =>
    lines((await vidimus('admin', 'trust', 'list', '--json')).stdout)
      .filter(({ source }) => source === 'operator')
      .map(({ role, entity }) => [role, entity])

  expect(await add('--entity', 'Ministry')).toMatchObject({ status: 0 })
  expect(await add('--role', 'revocation', '--entity', 'Ministry')).toMatchObject({ status: 0 })
  expect(await add('--role', 'registration')).toMatchObject({ status: 0 })
  expect(await roles()).toEqual([
    ['issuing', 'Ministry'],
    ['revocation', 'Ministry'],
    ['registration', null],
  ])
  expect(await add('--role', 'revocation')).toMatchObject({ status: 0 })
  expect(await remove('--role', 'issuing')).toMatchObject({ status: 0 })
  expect(await roles()).toEqual([
    ['revocation', null],
    ['registration', null],
  ])
  expect(await remove('--role', 'issuing')).toMatchObject({ status: 1 })
  expect(await remove()).toMatchObject({ status: 0 })
  expect(await roles()).toEqual([])
})

test('[TRUST-2] a sandbox cannot be added to live, and the error says why', async () => {
  const file = join(folder, 'sandbox.pem')
  writeFileSync(file, joinPem(createIssuer({ now: new Date() }).hierarchies.persons.root.certificate))

  const { status, stderr } = await vidimus('admin', 'trust', 'add', '--env', 'live', '--file', file)
  expect(status).toBe(1)
  expect(stderr).toContain('the live environment never trusts a sandbox certificate')
})

test('[TRUST-3] lists can be refreshed manually, and their state is shown', { timeout }, async () => {
  const operator = newListOperator('List Operator')
  const now = Date.now() / 1000
  let content = {
    sequence_number: 4,
    issued_at: now,
    next_update: now + 86_400,
    services: { [pidIssuance]: [root] },
  }
  await using server = await startReceiver((socket, request) =>
    reply(200, {}, writeTrustList(operator, content))(socket, request),
  )
  const file = join(folder, 'lists.json')
  const settings = {
    url: server.url,
    environment: 'test',
    type: listType,
    services: [{ service_type: pidIssuance }],
  }
  writeFileSync(file, JSON.stringify([{ ...settings, signers: joinPem(operator.authority.certificate) }]))
  const configured = { TRUST_LISTS_FILE: file, WEBHOOK_EGRESS_ALLOW: '127.0.0.1/32' }
  const environment = testEnvironment(database.url, configured)
  const runProcess = (...args: string[]) => runProgram(args, environment)

  const refreshed = await runProcess('admin', 'trust', 'refresh', '--json')
  expect(refreshed).toMatchObject({ status: 0 })
  expect(lines(refreshed.stdout)).toEqual([
    { lists: [{ environment: 'test', url: server.url, sequence_number: 4, anchors: 1 }] },
  ])

  content = { ...content, sequence_number: 3 }
  expect(await runProcess('admin', 'trust', 'refresh', '--json')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('older'),
  })
  expect(lines((await runProcess('admin', 'trust', 'lists', '--json')).stdout)).toMatchObject([
    { environment: 'test', url: server.url, sequence_number: 4, anchors: 1, stale: false, expired: false },
  ])
  expect(await vidimus('admin', 'trust', 'refresh', '--json')).toMatchObject({
    status: 0,
    stdout: '{"lists":[]}\n',
  })
})

test.each([
  ['an unknown environment', ['--env', 'prod', '--file', rootFile], 2, '--env must be test or live'],
  ['no file', ['--env', 'live'], 2, '--file is missing'],
  ['an empty type', ['--env', 'live', '--file', rootFile, '--types', 'a,,b'], 2, '--types'],
  ['an unknown role', ['--env', 'live', '--file', rootFile, '--role', 'signer'], 2, '--role must be one of'],
  ['an empty entity', ['--env', 'live', '--file', rootFile, '--entity', ' '], 2, '--entity'],
  ['an absent file', ['--env', 'live', '--file', join(folder, 'absent.pem')], 1, "Can't read"],
  ['a folder', ['--env', 'live', '--file', folder], 1, "Can't read"],
  ['another file', ['--env', 'live', '--file', new URL(import.meta.url).pathname], 1, 'no certificate'],
])('`admin trust add` with %s adds nothing and explains why', async (_what, args, status, words) => {
  const ran = await vidimus('admin', 'trust', 'add', ...args)
  expect(ran).toMatchObject({ status, stdout: '' })
  expect(ran.stderr).toContain(words)
})
