import { sharedEn } from '../../texts/shared-en.ts'
import { health } from './en/health.ts'
import { log } from './en/log.ts'
import { operators, tokens } from './en/operators.ts'
import { plans } from './en/plans.ts'
import { search } from './en/search.ts'
import { reason, shell } from './en/shell.ts'
import { account, signIn } from './en/sign-in.ts'
import { signUps } from './en/sign-ups.ts'
import { support } from './en/support.ts'
import { tenant } from './en/tenant.ts'
import { tenants } from './en/tenants.ts'
import { usage } from './en/usage.ts'

export const en = {
  ...sharedEn,
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

/** Every text of the operator's console. English defines the names, so that a missing or superfluous text does not compile. */
export type ConsoleTexts = typeof en
