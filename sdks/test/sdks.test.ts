import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inheritedVariables } from '../../apps/service/test/processes/inherited-variables.ts'
import { startProcesses, type ServiceProcesses } from '../../apps/service/test/processes/processes.ts'
import { openWallet } from '../../apps/service/test/wallet.ts'
import { behaviours, type World } from './behaviours.ts'
import { goVariables, languages } from './languages.ts'
import { startProgram, type Program } from './program.ts'

let service: ServiceProcesses
let address: string
beforeAll(async () => {
  service = await startProcesses(1)
  address = service.processes[0]?.address ?? ''
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  console.log(writeTable())
})

const names = Object.keys(behaviours)
const reported = new Map(languages.map(({ name }) => [name, new Set<string>()]))

describe.each(languages)('$name', ({ name: language, readme, checks, prepare }) => {
  let sdk: Program
  let prepared: ReturnType<typeof prepare>
  let world: World
  beforeAll(async () => {
    prepared = prepare()
    sdk = startProgram(prepared.program, prepared.folder)
    const { respond } = await openWallet(service.ctx, address)
    world = { sdk, address, merchant: await service.tenant(), respond }
  }, 300_000)
  afterAll(() => sdk[Symbol.asyncDispose]())

  test.each(Object.entries(behaviours))('%s', async (name, behave) => {
    await behave(world)
    expect(reported.get(language)?.add(name)).toContain(name)
  })

  test("the language's own tools find nothing", () => {
    const found = checks.map((command) =>
      spawnSync('bash', ['-c', command], { cwd: prepared.folder, env: goVariables(), encoding: 'utf8' }),
    )
    expect(found.map(({ status, stdout, stderr }) => [status, stdout, stderr])).toEqual(
      checks.map(() => [0, '', '']),
    )
  })

  test('the example of the README works as it is written', async () => {
    const [, example = ''] =
      /^```\w+ ?.*\n((?:(?!```)[^])*create\((?:(?!```)[^])*?)^```$/im.exec(readFileSync(readme, 'utf8')) ?? []
    const [command = '', ...args] = prepared.example(example)
    const child = spawn(command, args, {
      cwd: prepared.folder,
      env: {
        ...inheritedVariables(),
        HOME: prepared.folder,
        VIDIMUS_URL: address,
        VIDIMUS_KEY: world.merchant.key,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    const [, id] = /\/verify\/(vs_[\w-]+)/.exec((await lines.next()).value ?? '') ?? []
    const created = await world.merchant.get(`/v1/verifications/${id}`)
    await world.respond(created.body.wallet_uri)
    expect((await lines.next()).value).toMatch(/^Over 18: true$/i)
    expect(await ended).toEqual([0, null])
  })
})

test('every language reports every behaviour', () => {
  expect(names.length).toBeGreaterThan(40)
  expect(Object.fromEntries([...reported].map(([language, done]) => [language, done.size]))).toEqual(
    Object.fromEntries(languages.map(({ name }) => [name, names.length])),
  )
})

function writeTable(): string {
  const width = Math.max(...names.map(({ length }) => length))
  const marks = (name: string) =>
    languages.map(({ name: language }) =>
      (reported.get(language)?.has(name) === true ? 'yes' : 'NO').padEnd(language.length),
    )
  return [
    `${'behaviour'.padEnd(width)}  ${languages.map(({ name }) => name).join('  ')}`,
    ...names.map((name) => `${name.padEnd(width)}  ${marks(name).join('  ')}`),
  ].join('\n')
}
