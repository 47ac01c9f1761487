import type { CredentialQuery, CredentialSetQuery, Template } from '@vidimus/protocol'

/**
 * Whether every verification that completes with a template has this claim, so that it can tell people apart. What is derived or
 * must have one fixed value is the same for many people and does not count.
 */
export function alwaysReturnsClaim(template: Template, name: string): boolean {
  const { must = {}, derive = {}, query } = template
  const requirement = Object.hasOwn(must, name) ? must[name] : undefined
  if (requirement !== undefined && 'equals' in requirement) return false
  if (Object.entries(derive).some(([derived, { from }]) => derived === name || from === name)) return false
  // The query of a template was checked when it was saved.
  const credentials = query.credentials as CredentialQuery[]
  const sets = query.credential_sets as CredentialSetQuery[] | undefined
  const providers = credentials.filter((each) => providesClaim(template, each, name)).map(({ id }) => id)
  if (requirement !== undefined && credentials.some((each) => listPlaces(template, each, name).length > 0))
    return true
  if (sets === undefined) return providers.length > 0
  return sets.some(
    ({ options, required = true }) =>
      required && options.every((option) => option.some((id) => providers.includes(id))),
  )
}

/** Whether a credential that satisfies its query always contains the claim. */
function providesClaim(template: Template, credential: CredentialQuery, name: string): boolean {
  const ids = listPlaces(template, credential, name)
  if (credential.claim_sets === undefined) return ids.length > 0
  return credential.claim_sets.every((set) => set.some((id) => ids.includes(id)))
}

/** The requested claims of a credential that are returned under a name, by their ids; a claim without an id has an empty one. */
function listPlaces({ claims: vocabulary }: Template, credential: CredentialQuery, name: string): string[] {
  const isNamed = (path: readonly unknown[]) =>
    vocabulary === undefined
      ? path[credential.format === 'mso_mdoc' ? 1 : 0] === name
      : Object.hasOwn(vocabulary, name) &&
        vocabulary[name]?.some(
          (place) =>
            place.credential === credential.id && JSON.stringify(place.path) === JSON.stringify(path),
        )
  return (credential.claims ?? []).filter(({ path }) => isNamed(path)).map(({ id = '' }) => id)
}
