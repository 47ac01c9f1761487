import type { LockedResult } from '../../../verifications/index.ts'

/** Claims with a name in OpenID Connect Core §5.1, and what they are called in credentials. */
const standardNames: Readonly<Record<string, readonly string[]>> = {
  given_name: ['given_name'],
  family_name: ['family_name'],
  birthdate: ['birthdate', 'birth_date'],
  email: ['email', 'email_address'],
  phone_number: ['phone_number', 'mobile_phone_number'],
  address: ['address'],
}

export const standardClaims: readonly string[] = Object.keys(standardNames)

/**
 * What ID token and userinfo say about a result: the verified claims under the names that templates and webhooks use, in one object, and beside
 * it those that have a name in OpenID Connect. Nothing else of the result, and nothing that the site could take for a check we did not make,
 * such as `email_verified`. Of a sealed result that is what stays readable.
 */
export function renderClaims({
  claims,
  template,
  responded_at,
}: Pick<LockedResult, 'claims' | 'template' | 'responded_at'>): Record<string, unknown> {
  const { _sealed, ...verified } = claims ?? {}
  const standard = Object.entries(standardNames).flatMap(([name, sources]) => {
    const source = sources.find((each) => isStandardValue(name, verified[each]))
    return source === undefined ? [] : [[name, verified[source]] as const]
  })
  return {
    ...Object.fromEntries(standard),
    ...(template !== null && { acr: templateScope(template) }),
    ...(responded_at !== null && { auth_time: toSeconds(responded_at) }),
    verified,
  }
}

function isStandardValue(name: string, value: unknown): boolean {
  return name === 'address'
    ? typeof value === 'object' && value !== null && !Array.isArray(value)
    : typeof value === 'string' && (name !== 'birthdate' || /^\d{4}-\d\d-\d\d$/.test(value))
}

/** The scope that asks with a template. */
function templateScope(template: string): string {
  return `${templateScopePrefix}${template}`
}

export const templateScopePrefix = 'vidimus:'

export function toSeconds(timestamp: string): number {
  return Math.floor(Date.parse(timestamp) / 1000)
}
