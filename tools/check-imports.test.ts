import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { findImportViolations } from './find-import-violations.ts'
import { importRules, type ImportRule } from './import-rules.ts'

test.each(importRules)('the import rule $name catches its deliberate violation', async (rule) => {
  await using repository = await emptyRepository()
  await repository.addViolation(rule.violation)

  const { violations, seen, expected } = await findImportViolations(repository.path)

  expect(violations.map((violation) => violation.rule.name)).toContain(rule.name)
  expect(seen).toBe(expected)
})

// `npm run check` runs it on the whole repository.
test('the import check passes only if it read a module and found no violation', async () => {
  const [rule] = importRules
  await using empty = await emptyRepository()
  await using clean = await emptyRepository()
  await write(join(clean.path, 'apps/service/src/a.ts'), 'export {}\n')
  await using violated = await emptyRepository()
  if (rule !== undefined) await violated.addViolation(rule.violation)

  expect(runImportCheck(empty.path)).toEqual({ status: 1, stdout: '0 modules, 0 violations\n' })
  expect(runImportCheck(clean.path)).toEqual({ status: 0, stdout: '1 modules, 0 violations\n' })
  expect(runImportCheck(violated.path)).toEqual({
    status: 1,
    stdout: expect.stringContaining(`${rule?.name}: ${rule?.violation.file} -> `),
  })
})

test('the linter catches a floating promise', async () => {
  await using repository = await emptyRepository()
  const file = join(repository.path, 'floating.ts')
  await writeFile(
    file,
    'async function later(): Promise<void> {}\nexport function now(): void {\n  later()\n}\n',
  )
  await writeFile(
    join(repository.path, 'tsconfig.json'),
    '{"compilerOptions":{"strict":true,"module":"nodenext","noEmit":true},"include":["."]}',
  )

  const lint = spawnSync(
    join(process.cwd(), 'node_modules/.bin/oxlint'),
    ['--type-aware', '-c', join(process.cwd(), '.oxlintrc.json'), '.'],
    { cwd: repository.path, encoding: 'utf8' },
  )

  expect(lint.stdout).toContain('no-floating-promises')
  expect(lint.status).toBe(1)
})

function runImportCheck(cwd: string) {
  const program = join(process.cwd(), 'tools/check-imports.ts')
  const { status, stdout } = spawnSync(process.execPath, [program], { cwd, encoding: 'utf8' })
  return { status, stdout }
}

/** A folder with the repository's layout that contains only what a test adds. */
async function emptyRepository() {
  const path = await mkdtemp(join(tmpdir(), 'vidimus-imports-'))
  return {
    path,
    async addViolation({ file, imports, imported_back }: ImportRule['violation']) {
      await symlink(join(process.cwd(), 'node_modules'), join(path, 'node_modules'))
      await write(join(path, file), `import '${imports}'\n`)
      if (!imports.startsWith('.') || imports.includes('missing')) return
      await write(join(path, dirname(file), imports), imported_back ? "import './a.ts'\n" : 'export {}\n')
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  }
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
