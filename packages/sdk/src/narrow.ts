import type { BuiltInClaims, BuiltInTemplate, FailureCode, Verification } from './types.ts'

/** A verification with a built-in template: its claims have the names of that template. */
export type BuiltInVerification<Template extends BuiltInTemplate> = Omit<
  Verification,
  'template' | 'claims'
> & {
  template: Template
  claims?: BuiltInClaims[Template] | undefined
}

/** Whether a verification was created with this built-in template. In the branch where it was, a misspelt claim does not compile. */
export function hasTemplate<Template extends BuiltInTemplate>(
  verification: Verification,
  template: Template,
): verification is BuiltInVerification<Template> {
  return verification.template === template
}

/** Whether a verification failed for one of these reasons. A misspelt reason does not compile. */
export function failedWith(verification: Verification, ...codes: FailureCode[]): boolean {
  const known: readonly (string | undefined)[] = codes
  return known.includes(verification.error?.code)
}
