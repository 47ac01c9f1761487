import { allowedForDevelopment, allowedLicences, licencesByHand } from './allowed-licences.ts'

/** The part of a lockfile that is used here. */
export type LockedPackages = Record<
  string,
  {
    name?: string
    version?: string
    /** Of a link: the folder of the workspace. */
    resolved?: string
    license?: string
    dev?: boolean
    link?: boolean
    optional?: boolean
    os?: string[]
    cpu?: string[]
    dependencies?: Record<string, string>
    optionalDependencies?: Record<string, string>
    peerDependencies?: Record<string, string>
  }
>

/** Every package of a lockfile whose licence is not allowed, with the licence. */
export function findLicenceProblems(packages: LockedPackages): string[] {
  return Object.entries(packages).flatMap(([path, { license, dev, link, optional, os = [], cpu = [] }]) => {
    const name = path.split('node_modules/').at(-1) ?? ''
    if (!path.includes('node_modules/') || link === true) return []
    // The binary of another package for one platform. npm knows the licence only where it is installed; it is that of the other package.
    if (license === undefined && optional === true && os.length + cpu.length > 0) return []
    const found = (dev === true ? licencesByHand.get(name) : undefined) ?? license ?? 'none'
    return isAllowed(found, dev === true) ? [] : [`${name}: ${found}`]
  })
}

/** An SPDX expression of licences with OR, one of which must be allowed, or with AND, all of which must be. Others are not allowed. */
function isAllowed(expression: string, development: boolean): boolean {
  const simple = expression.replaceAll(/[()]/g, '')
  const may = (licence: string) =>
    allowedLicences.has(licence) || (development && allowedForDevelopment.has(licence))
  if (simple.includes(' AND ') && simple.includes(' OR ')) return false
  return simple.includes(' OR ') ? simple.split(' OR ').some(may) : simple.split(' AND ').every(may)
}
