import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openapiDocument } from '@vidimus/contract'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPackage } from '../build-package.ts'
import { writeConsumer } from './write-consumer.ts'

const projectFolder = mkdtempSync(join(tmpdir(), 'vidimus-sdk-'))
const packageFolder = join(projectFolder, 'node_modules/@vidimus/sdk')
let tarball = ''
beforeAll(async () => {
  const built = join(projectFolder, 'built')
  await buildPackage(pathToFileURL(`${built}/`))
  tarball = join(projectFolder, npm(['pack', '--silent', '--pack-destination', projectFolder], built).trim())
  mkdirSync(packageFolder, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', packageFolder])
})
afterAll(() => rmSync(projectFolder, { recursive: true }))

// Most of it is declarations with their comments, which editors show and which grow with the API; the code of a bundle does not.
test('the packed SDK is smaller than 57 kB and has no dependencies', () => {
  const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
  const kinds = Object.keys(manifest).filter((key) => /dependencies/i.test(key))

  expect(statSync(tarball).size).toBeLessThan(57_000)
  expect(kinds).toEqual([])
  for (const form of ['esm', 'cjs']) {
    const code = readFileSync(join(packageFolder, form, 'index.js'), 'utf8')
    expect(code).not.toMatch(/\brequire\(|^import |\bprocess\b|\bBuffer\b|node:/m)
  }
})

test('publint reports nothing', async () => {
  const { messages } = await publint({ pkgDir: packageFolder, strict: true, pack: false })

  expect(messages).toEqual([])
})

test('attw finds no problems with the types, for any way to import them', () => {
  const attw = spawnSync('attw', [tarball, '--format', 'table-flipped', '--no-emoji'], { encoding: 'utf8' })

  expect(attw.stdout).toContain('No problems found')
  expect(attw.status).toBe(0)
})

test('import and require give the same exports', () => {
  writeFileSync(
    join(projectFolder, 'a.mjs'),
    `import * as sdk from '@vidimus/sdk'\nconsole.log(Object.keys(sdk).sort().join())`,
  )
  writeFileSync(
    join(projectFolder, 'a.cjs'),
    `console.log(Object.keys(require('@vidimus/sdk')).sort().join())`,
  )
  const [imported, required] = ['a.mjs', 'a.cjs'].map((file) =>
    execFileSync(process.execPath, [file], { cwd: projectFolder, encoding: 'utf8' }),
  )

  expect(imported).toContain('createClient,createDeviceClient')
  expect(required).toBe(imported)
})

test('the declarations compile for browsers without other types, and are strict', () => {
  const use = `
    import { createClient, webhooks, type Verification } from '@vidimus/sdk'
    const vidimus = createClient({ baseUrl: 'https://verify.example', apiKey: 'vk_test_x' })
    export const created: Promise<Verification> = vidimus.verifications.create({ template: 'age_over_18' })
    // @ts-expect-error -- a misspelt member
    export const wrong = vidimus.verifications.create({ tempalte: 'age_over_18' })
    export const saved: Promise<boolean> = vidimus
      .call('putTemplate', { key: 'hotel_check_in', body: { template: {} } })
      .then((result) => result.saved)
    export const settings = vidimus.call('getSettings', {}, { signal: AbortSignal.timeout(1000) })
    // @ts-expect-error -- the parameter of the path is missing
    export const pathless = vidimus.call('getTemplate')
    // @ts-expect-error -- a misspelt filter
    export const unfiltered = vidimus.call('listAudit', { query: { atcion: 'key.created' } })
    // @ts-expect-error -- verifications have their own methods
    export const other = vidimus.call('getVerification', { id: 'vs_1' })
    export const event = webhooks.verify({ body: '', headers: new Headers(), secret: 'whsec_x' })
  `

  expect(compile({ 'use.mts': use }, { types: [] })).toBe('')
})

test('a consumer that uses every operation, member, enum and event of the OpenAPI document compiles', () => {
  const programs = writeConsumer()

  expect(Object.keys(programs).length).toBeGreaterThan(20)
  expect(compile(programs, withNode)).toBe('')
})

test('the consumer notices an operation, a parameter, a member, a value, a null and an event that the SDK lacks', () => {
  const plant = (change: (document: Planted) => void) => {
    const document = structuredClone(openapiDocument()) as Planted
    change(document)
    return () => compile(writeConsumer(document), withNode)
  }
  const { schemas } = (openapiDocument() as Planted).components

  expect(
    plant(({ paths }) => (paths['/v1/refunds'] = { get: { operationId: 'refund', responses: {} } })),
  ).toThrow('The SDK has no call for the operation refund.')
  expect(
    plant(({ components }) => {
      components.schemas['Device'] = withMember(schemas['Device'], 'colour', { type: 'string' })
    })(),
  ).toMatch(/^members\.mts.*'colour'/m)
  expect(
    plant(({ components }) => {
      components.schemas['Device'] = withMember(schemas['Device'], 'status', { enum: ['pending', 'lost'] })
    })(),
  ).toMatch(/^members\.mts/)
  expect(
    plant(({ components }) => {
      components.schemas['Verification'] = withMember(schemas['Verification'], 'template', { type: 'string' })
    })(),
  ).toMatch(/^members\.mts.*'false'/m)
  expect(
    plant(({ paths, components }) => {
      paths['/v1/audit'] = withParameter(paths['/v1/audit'], { name: 'colour', in: 'query', schema: {} })
      components.schemas['AssignRegistration'] = withMember(
        schemas['AssignRegistration'],
        'registration_id',
        {
          type: 'string',
        },
      )
    })(),
  ).toMatch(/^members\.mts.*'false'.*'true'[^]*^members\.mts.*colour/m)
  expect(
    plant((document) => {
      document.webhooks['verification.paused'] = document.webhooks['verification.failed']
    })(),
  ).toMatch(/^events\.mts/)
})

test('a misspelt claim, template or reason does not compile, and a claim of another template neither', () => {
  const correct = writeConsumer()['results.mts']?.replaceAll('"', "'") ?? ''
  const mistakes = [
    [`verification.claims?.age_over_18;`, `verification.claims?.age_over_81;`, /age_over_81/],
    [`verification.claims?.age_over_25;`, `verification.claims?.age_ovre_25;`, /age_ovre_25/],
    [`verification.claims?.iban;`, `verification.claims?.sex;`, /sex/],
    [`verification, 'holder_declined'`, `verification, 'holder_decliend'`, /holder_decliend/],
    [`hasTemplate(verification, 'pid_full')`, `hasTemplate(verification, 'pid_ful')`, /pid_ful/],
    [`'wallet_error': ''`, `'wallet_eror': ''`, /wallet_eror/],
  ] as const

  for (const [right, wrong, named] of mistakes) {
    const program = correct.replace(right, wrong)
    expect(program).toContain(wrong)
    expect(compile({ 'results.mts': program }, withNode)).toMatch(named)
  }
})

test('the samples of the documents compile in strict mode', () => {
  const documents = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md', 'examples/**/*.md'], {
    exclude: ['**/node_modules/**'],
  })
  const samples = documents.flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(/^```(?:ts|typescript)\b.*\n([\s\S]*?)^```$/gm)]
      .map(([, code = '']) => code)
      .filter((code) => code.includes("'@vidimus/sdk'"))
      .map((code, n) => [`${document.replaceAll('/', '-')}-${n}.mts`, code]),
  )
  const surroundings = `declare function redirectHolder(address: string): void
declare const rawBytes: Uint8Array
declare const request: Request
`

  expect(samples.map(([file]) => file)).toEqual(
    expect.arrayContaining(['docs-guides-hosted-page.md-0.mts', 'packages-sdk-README.md-2.mts']),
  )
  expect(compile({ 'reader.d.ts': surroundings, ...Object.fromEntries(samples) }, withNode)).toBe('')
})

type Planted = {
  paths: Record<string, unknown>
  webhooks: Record<string, unknown>
  components: { schemas: Record<string, { properties?: Record<string, unknown> }> }
}

function withMember(schema: Planted['components']['schemas'][string] = {}, name: string, member: unknown) {
  return { ...schema, properties: { ...schema.properties, [name]: member } }
}

function withParameter(methods: unknown, parameter: object): unknown {
  const { get } = methods as { get: { parameters: object[] } } // An operation with a query.
  return { get: { ...get, parameters: [...get.parameters, parameter] } }
}

const withNode = { types: ['node'], typeRoots: [join(process.cwd(), 'node_modules/@types')] }

/** Type-checks programs as a merchant's project that has installed the tarball. Returns what the compiler reports. */
function compile(programs: Record<string, string>, options: object): string {
  const folder = mkdtempSync(join(projectFolder, 'consumer-'))
  const compilerOptions = {
    lib: ['es2022', 'dom', 'dom.iterable'],
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    ...options,
  }
  for (const [file, code] of Object.entries(programs)) writeFileSync(join(folder, file), code)
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: Object.keys(programs) }),
  )
  const compiler = join(process.cwd(), 'node_modules/typescript-7/bin/tsc')
  return spawnSync(process.execPath, [compiler, '-p', '.'], { cwd: folder, encoding: 'utf8' }).stdout
}

function npm(args: string[], cwd: string): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}
