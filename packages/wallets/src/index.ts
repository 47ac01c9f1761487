export type { HeldCredential, IndependentHolder, IndependentIssuer } from './credential.ts'
export { independentHolders, independentIssuers } from './independent.ts'
