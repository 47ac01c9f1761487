import type { AccountsContext } from '../accounts/index.ts'
import type { VerificationContext } from '../verifications/index.ts'

/** Pages of the dashboard show what every module has. */
export type DashboardContext = AccountsContext & VerificationContext
