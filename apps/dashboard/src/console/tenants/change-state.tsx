import type { OperatorTenantDetail } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationMutation } from '../api.ts'
import { ChangeDialog } from '../change-dialog.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'
import { omitEmpty } from './form-parts.tsx'
import { ReasonDialog, stateReads } from './reason-dialog.tsx'

type StateDialogProps = { tenant: OperatorTenantDetail; onClose: () => void }

export function ResumeTenant({ tenant, onClose }: StateDialogProps) {
  const text = useConsoleTexts().tenant.resume
  return (
    <ReasonDialog
      tenant={tenant}
      text={text}
      description={text.description}
      mutation={useOperationMutation('resumeTenant', stateReads)}
      input={(reason) => ({ params: { id: tenant.id }, json: omitEmpty({ reason }) })}
      onClose={onClose}
    />
  )
}

export function CloseTenant({ tenant, onClose }: StateDialogProps) {
  const { suspend, close: text } = useConsoleTexts().tenant
  return (
    <ReasonDialog
      tenant={tenant}
      text={text}
      description={text.description}
      needs={{ label: suspend.reason, hint: suspend.reason_hint, missing: suspend.reason_missing }}
      forGood
      mutation={useOperationMutation('closeTenant', stateReads)}
      input={(reason) => ({ params: { id: tenant.id }, json: { reason } })}
      onClose={onClose}
    />
  )
}

/** Deletes a tenant in seven days. The service compares the name once more. */
export function DeleteTenant({ tenant, onClose }: StateDialogProps) {
  const { tenant: page, reason: texts } = useConsoleTexts()
  return (
    <ReasonDialog
      tenant={tenant}
      text={page.delete}
      description={page.delete.description}
      needs={{ label: texts.required, hint: texts.hint, missing: page.suspend.reason_missing }}
      forGood
      mutation={useOperationMutation('deleteTenant', stateReads)}
      input={(reason) => ({ params: { id: tenant.id }, json: { name: tenant.name, reason } })}
      onClose={onClose}
    />
  )
}

/** Withdraws the deletion. */
export function KeepTenant({ tenant, onClose }: StateDialogProps) {
  const text = useConsoleTexts().tenant.keep
  return (
    <ChangeDialog
      op="keepTenant"
      input={{ params: { id: tenant.id } }}
      invalidates={stateReads}
      successMessage={fillIn(text.done, { name: tenant.name })}
      title={fillIn(text.title, { name: tenant.name })}
      description={text.description}
      submit={text.submit}
      onClose={onClose}
    />
  )
}
