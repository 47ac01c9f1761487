import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inheritedVariables } from '../../apps/service/test/processes/inherited-variables.ts'

export type Language = {
  name: string
  /** The README, whose first program is the ten-line example. */
  readme: string
  /** Checks of the language's own tools, run in the folder of the SDK. They print nothing if all is well. */
  checks: string[]
  /** Builds what has to be built, and returns the command of the test program, run in the folder of the SDK. */
  prepare: () => { program: string[]; folder: string; example: (code: string) => string[] }
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const temporaryFolder = (name: string) => mkdtempSync(join(tmpdir(), `vidimus-sdk-${name}-`))

/** The SDKs. To add one, write its test program, and its line here. */
export const languages: Language[] = [
  {
    name: 'TypeScript',
    readme: 'packages/sdk/README.md',
    checks: [], // Its own tests have them.
    prepare: () => ({
      program: [process.execPath, 'sdks/test/typescript.ts'],
      folder: root,
      example: (code) => [process.execPath, '--input-type=module-typescript', '-e', code],
    }),
  },
  {
    name: 'Python',
    readme: 'sdks/python/README.md',
    checks: ['/usr/bin/mypy --strict --no-error-summary --cache-dir=/dev/null vidimus'],
    prepare: () => ({
      program: ['/usr/bin/python3', '-B', 'tests/program.py'],
      folder: join(root, 'sdks/python'),
      example: (code) => ['/usr/bin/python3', '-B', '-c', code],
    }),
  },
  {
    name: 'PHP',
    readme: 'sdks/php/README.md',
    checks: ["find . -name '*.php' -print0 | xargs -0 -n1 php -l | grep -v '^No syntax errors' || true"],
    prepare: () => {
      // As Composer would install it.
      const project = temporaryFolder('php')
      mkdirSync(join(project, 'vendor'))
      writeFileSync(
        join(project, 'vendor/autoload.php'),
        `<?php require '${root}sdks/php/tests/autoload.php';`,
      )
      return {
        program: ['php', 'tests/program.php'],
        folder: join(root, 'sdks/php'),
        example: (code) => {
          writeFileSync(join(project, 'example.php'), code)
          return ['php', '-d', `include_path=${project}`, join(project, 'example.php')]
        },
      }
    },
  },
  {
    name: 'Go',
    readme: 'sdks/go/README.md',
    checks: ['go vet ./...', 'gofmt -l .'],
    prepare: () => {
      const built = temporaryFolder('go')
      const folder = join(root, 'sdks/go')
      const build = (into: string, source: string) =>
        execFileSync('go', ['build', '-o', into, source], { cwd: folder, env: goVariables() })
      build(join(built, 'program'), './internal/program')
      return {
        program: [join(built, 'program')],
        folder,
        example: (code) => {
          writeFileSync(join(built, 'example.go'), code)
          build(join(built, 'example'), join(built, 'example.go'))
          return [join(built, 'example')]
        },
      }
    },
  },
  {
    name: 'Java',
    readme: 'sdks/java/README.md',
    checks: [], // The compiler's warnings are errors.
    prepare: () => {
      const built = temporaryFolder('java')
      const folder = join(root, 'sdks/java')
      const sources = globSync('src/**/*.java', { cwd: folder })
      execFileSync('javac', ['-Xlint:all,-serial', '-Werror', '--release', '17', '-d', built, ...sources], {
        cwd: folder,
      })
      return {
        program: ['java', '-Xshare:auto', '-cp', built, 'org.vidimus.Program'],
        folder,
        example: (code) => {
          writeFileSync(join(built, 'Example.java'), code)
          return ['java', '-cp', built, join(built, 'Example.java')]
        },
      }
    },
  },
]

/** The compiled standard library stays in its cache. */
export function goVariables(): NodeJS.ProcessEnv {
  return {
    ...inheritedVariables(),
    HOME: process.env['HOME'],
    GOPROXY: 'off',
    GOFLAGS: '-mod=mod',
  }
}
