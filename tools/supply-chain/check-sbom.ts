import type { LockedPackages } from './find-licence-problems.ts'
import { listProgramPackages } from './list-program-packages.ts'

/** The part of a CycloneDX document that is used here. */
export type Sbom = {
  bomFormat: string
  specVersion: string
  serialNumber: string
  metadata: { component: { 'bom-ref': string; name: string; purl: string; version: string } }
  components: {
    'bom-ref': string
    purl: string
    version: string
    licenses?: unknown[]
    hashes?: { alg: string; content: string }[]
  }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** What is wrong with an SBOM of the program: not CycloneDX, an inconsistent graph, or a package that it lacks. */
export function checkSbom(sbom: Sbom, packages: LockedPackages): string[] {
  const problems: string[] = []
  if (sbom.bomFormat !== 'CycloneDX' || !/^1\.\d+$/.test(sbom.specVersion)) problems.push('not CycloneDX 1')
  if (!/^urn:uuid:[0-9a-f-]{36}$/.test(sbom.serialNumber)) problems.push('no serial number')
  const refs = new Set(sbom.components.map((component) => component['bom-ref']))
  if (refs.size !== sbom.components.length) problems.push('a bom-ref occurs twice')
  for (const { ref, dependsOn } of sbom.dependencies)
    for (const target of dependsOn)
      if (!refs.has(target)) problems.push(`${ref} depends on ${target}, which is not a component`)
  for (const { purl, licenses = [], hashes = [] } of sbom.components) {
    const own = purl.startsWith('pkg:npm/%40vidimus/')
    if (licenses.length === 0) problems.push(`${purl} has no licence`)
    if (!own && !hashes.some(({ alg }) => alg === 'SHA-512')) problems.push(`${purl} has no hash`)
  }
  const purls = new Set(sbom.components.map(({ purl }) => purl))
  const missing = [...listProgramPackages(packages)].filter((purl) => !purls.has(purl))
  return [...problems, ...missing.map((purl) => `${purl} is missing`)]
}
