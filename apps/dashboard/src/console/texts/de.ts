import { sharedDe } from '../../texts/shared-de.ts'
import { health } from './de/health.ts'
import { log } from './de/log.ts'
import { operators, tokens } from './de/operators.ts'
import { plans } from './de/plans.ts'
import { search } from './de/search.ts'
import { reason, shell } from './de/shell.ts'
import { account, signIn } from './de/sign-in.ts'
import { signUps } from './de/sign-ups.ts'
import { support } from './de/support.ts'
import { tenant } from './de/tenant.ts'
import { tenants } from './de/tenants.ts'
import { usage } from './de/usage.ts'
import type { ConsoleTexts } from './en.ts'

export const de: ConsoleTexts = {
  ...sharedDe,
  account,
  health,
  log,
  operators,
  plans,
  reason,
  search,
  shell,
  sign_in: signIn,
  sign_ups: signUps,
  support,
  tenant,
  tenants,
  tokens,
  usage,
}
