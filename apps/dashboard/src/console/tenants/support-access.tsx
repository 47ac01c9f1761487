import { useState, type ReactNode } from 'react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { Sentence } from '../../texts/sentence.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Time } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useOperationMutation, useOperationQuery } from '../api.ts'
import { ChangeDialog } from '../change-dialog.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'

const invalidates = ['getSupportAccess', 'getTenant', 'listLog'] as const

type TenantName = { tenant_id: string; name: string }

/** `look`: where it leads while there is access. */
type SupportAccessProps = TenantName & { look?: ReactNode }

/** Whether operators may look at the tenant: an owner of it lets them, or an operator takes access where the installation allows that. */
export function SupportAccess({ tenant_id, name, look }: SupportAccessProps) {
  const text = useConsoleTexts().tenant.support
  const { data: support } = useOperationQuery('getSupportAccess', { params: { id: tenant_id } })
  const [dialog, setDialog] = useState<'take' | 'end'>()
  const close = () => setDialog(undefined)
  if (support === undefined) return <span className="text-soft">–</span>
  const { access, may_take } = support
  return (
    <span className="grid justify-items-start gap-1.5">
      {access === undefined ? (
        <span className="text-soft">{may_take ? text.none : text.none_ask}</span>
      ) : (
        <>
          <Badge tone={access.by === 'tenant' ? 'good' : 'wait'} dot>
            <Sentence text={text.until} values={{ at: <Time at={access.until} /> }} />
          </Badge>
          <span className="text-soft">{fillIn(text.by[access.by], { name: access.name })}</span>
        </>
      )}
      {access === undefined && may_take && (
        <Button size="small" onClick={() => setDialog('take')}>
          {text.take.button}
        </Button>
      )}
      {access !== undefined && (
        <span className="flex flex-wrap gap-1.5">
          {look}
          <Button size="small" onClick={() => setDialog('end')}>
            {text.end.button}
          </Button>
        </span>
      )}
      {dialog === 'take' && <TakeAccess tenant_id={tenant_id} name={name} onClose={close} />}
      {dialog === 'end' && (
        <ChangeDialog
          op="endSupportAccess"
          input={{ params: { id: tenant_id } }}
          invalidates={invalidates}
          successMessage={text.end.done}
          title={fillIn(text.end.title, { name })}
          description={text.end.description}
          submit={text.end.button}
          onClose={close}
        />
      )}
    </span>
  )
}

function TakeAccess({ tenant_id, name, onClose }: TenantName & { onClose: () => void }) {
  const { tenant } = useConsoleTexts()
  const text = tenant.support.take
  const showToast = useToast()
  const [reason, setReason] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const take = useOperationMutation('takeSupportAccess', invalidates)
  const reasonMissing = reason.trim() === ''
  return (
    <FormDialog
      open
      persistent
      onClose={onClose}
      title={fillIn(text.title, { name })}
      description={text.description}
      submit={text.button}
      note={tenant.suspend.asks_for_passkey}
      busy={take.isPending}
      error={take.error}
      onSubmit={() => {
        setSubmitted(true)
        if (reasonMissing) return
        take.mutate(
          { params: { id: tenant_id }, json: { reason: reason.trim() } },
          { onSuccess: () => (showToast(text.done), onClose()) },
        )
      }}
    >
      <TextField
        label={tenant.suspend.reason}
        hint={text.reason_hint}
        maxLength={500}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        error={submitted && reasonMissing ? tenant.suspend.reason_missing : undefined}
      />
    </FormDialog>
  )
}
