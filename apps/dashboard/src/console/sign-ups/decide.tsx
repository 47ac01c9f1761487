import type { SignedUp } from '@vidimus/contract'
import { useOperationMutation } from '../api.ts'
import { omitEmpty } from '../tenants/form-parts.tsx'
import { ReasonDialog, stateReads } from '../tenants/reason-dialog.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'

const reads = ['listSignUps', ...stateReads] as const

type DecisionProps = { signedUp: SignedUp; onClose: () => void }

export function ApproveTenant({ signedUp: { tenant }, onClose }: DecisionProps) {
  const text = useConsoleTexts().sign_ups.approve
  return (
    <ReasonDialog
      tenant={tenant}
      text={text}
      description={text.description}
      mutation={useOperationMutation('approveTenant', reads)}
      input={(reason) => ({ params: { id: tenant.id }, json: omitEmpty({ reason }) })}
      onClose={onClose}
    />
  )
}

/** A refusal has a reason, which the tenant reads. */
export function RefuseTenant({ signedUp: { tenant, approval }, onClose }: DecisionProps) {
  const text = useConsoleTexts().sign_ups.refuse
  return (
    <ReasonDialog
      tenant={tenant}
      text={text}
      description={approval === 'waiting' ? text.closes : text.keeps_testing}
      needs={{ label: text.reason, hint: text.reason_hint, missing: text.reason_missing }}
      danger
      mutation={useOperationMutation('refuseTenant', reads)}
      input={(reason) => ({ params: { id: tenant.id }, json: { reason } })}
      onClose={onClose}
    />
  )
}
