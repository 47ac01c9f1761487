import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkSbom, type Sbom } from './check-sbom.ts'
import { writeSbom } from './write-sbom.ts'

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const sbom = writeSbom()
const names = new Set(sbom.components.map(({ purl }) => /^pkg:npm\/(.+)@/.exec(purl)?.[1]))

test('the SBOM is CycloneDX, names the version, and has every production dependency with licence and hash', () => {
  const { dependencies } = JSON.parse(readFileSync('apps/service/package.json', 'utf8'))
  const direct = Object.keys(dependencies).map((name) => name.replace('@', '%40'))

  expect(checkSbom(sbom, packages)).toEqual([])
  expect(sbom.metadata.component).toMatchObject({
    name: 'vidimus',
    version,
    purl: `pkg:npm/vidimus@${version}`,
  })
  expect(direct.length).toBeGreaterThan(10)
  expect(direct.filter((name) => !names.has(name))).toEqual([])
  // Of a dependency, and in production only through one.
  expect(names).toContain('pg-protocol')
  expect(names).not.toContain('vitest')
  expect(names).not.toContain('express')
})

test('a missing dependency, a missing licence and a broken graph are found', () => {
  const [first] = sbom.components.filter(({ purl }) => purl.startsWith('pkg:npm/fastify@'))
  const broken: Sbom = {
    ...sbom,
    bomFormat: 'SPDX',
    components: sbom.components
      .filter((component) => component !== first)
      .map((component) =>
        component.purl.startsWith('pkg:npm/pg@') ? { ...component, licenses: [] } : component,
      ),
  }

  expect(first).toBeDefined()
  expect(checkSbom(broken, packages)).toEqual(
    expect.arrayContaining([
      'not CycloneDX 1',
      expect.stringMatching(/^pkg:npm\/pg@.* has no licence$/),
      `${first?.purl} is missing`,
      expect.stringContaining(`depends on ${first?.['bom-ref']}, which is not a component`),
    ]),
  )
})

test('the release workflow publishes the SBOM that is checked here', () => {
  const workflow = readFileSync('.github/workflows/release.yml', 'utf8')

  expect(workflow.match(/npm run -s sbom > sbom\.cdx\.json/g)).toHaveLength(2)
  expect(workflow).not.toContain('npm sbom')
})
