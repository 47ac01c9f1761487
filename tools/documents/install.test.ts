import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../apps/service/test/database/test-database.ts'
import { inheritedVariables } from '../../apps/service/test/processes/inherited-variables.ts'
import { readBlocks } from './read-blocks.ts'
import { installProgram, openShells } from './shells.ts'

const document = 'docs/operate/install.md'

test('the steps of install.md work one after the other, from an empty folder and an empty database', async () => {
  await using database = await createTestDatabase({ empty: true })
  await using stack = new AsyncDisposableStack()
  const machine = mkdtempSync(join(tmpdir(), 'vidimus-install-'))
  stack.defer(() => rmSync(machine, { recursive: true }))
  // In place of step 1, which the test of the program's package does.
  for (const name of ['package.json', 'node_modules', 'apps', 'packages', 'docs'])
    symlinkSync(join(process.cwd(), name), join(machine, name))
  installProgram(machine)
  for (const folder of ['etc', 'var/lib', 'root']) mkdirSync(join(machine, folder), { recursive: true })
  const shells = stack.use(
    openShells({
      cwd: join(machine, 'root'),
      environment: { ...inheritedVariables(), PATH: `${machine}/bin:${process.env['PATH']}` },
    }),
  )
  const outputs: string[] = []
  const steps = readBlocks(document).filter(
    ({ language, attributes }) => language === 'sh' && !('example' in attributes),
  )
  for (const step of steps) {
    const text = step.text
      .replaceAll(/(?<![\w/])\/(etc|var\/lib)\/vidimus/g, `${machine}/$1/vidimus`)
      .replace('postgres://vidimus:password@127.0.0.1:5432/vidimus', database.url)
    const { output } = await shells.run({ ...step, text })
    expect(output).toContain(step.attributes['shows'] ?? '')
    outputs.push(output)
  }

  expect(outputs).toHaveLength(4)
  const wrong = [...(outputs.at(-1) ?? '').matchAll(/^WRONG +([a-z ]+?) +(?=[A-Z])/gm)].map(
    ([, check = '']) => check,
  )
  // What the page leaves to others: the certificate, and the name with its proxy. Name servers are those of this machine.
  expect(wrong.filter((check) => check !== 'egress').toSorted()).toEqual([
    'access certificate',
    'base address',
  ])
  expect(readFileSync(join(machine, 'etc/vidimus/master-key'), 'utf8')).toMatch(/^[\w+/]{43}=\n$/)
})
