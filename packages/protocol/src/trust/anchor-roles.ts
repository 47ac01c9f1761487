import type { AnchorRole } from '../presentation.ts'

/** Every role, for those who offer a choice. */
export const anchorRoles = [
  'issuing',
  'revocation',
  'list_signing',
  'registration',
] as const satisfies readonly AnchorRole[]
