import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { checkSbom, type Sbom } from './check-sbom.ts'
import { listProgramPackages } from './list-program-packages.ts'

/**
 * The SBOM of the program: what npm knows of every installed package, reduced to those that the program runs with. `npm sbom --omit dev` would not do: it
 * omits a package that production and a development script share, such as `pg`.
 */
export function writeSbom(): Sbom {
  const text = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const all: Sbom = JSON.parse(text)
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const sbom = selectComponents(all, listProgramPackages(packages))
  const problems = checkSbom(sbom, packages)
  if (problems.length > 0) throw new Error(`The SBOM is not complete:\n${problems.join('\n')}`)
  return sbom
}

function selectComponents(sbom: Sbom, purls: ReadonlySet<string>): Sbom {
  const components = sbom.components.filter(({ purl }) => purls.has(purl))
  const refs = new Set(components.map((component) => component['bom-ref']))
  const { component } = sbom.metadata
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref) || ref === component['bom-ref'])
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((target) => refs.has(target)) }))
  // npm names it after the folder of the clone.
  return {
    ...sbom,
    metadata: { ...sbom.metadata, component: { ...component, name: 'vidimus' } },
    components,
    dependencies,
  }
}
