import { useState } from 'react'
import type { PolicySettings } from '@vidimus/contract'
import { useOperationMutation } from '../api/queries.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { ChoiceGroup, TextField, ChoiceField } from '../ui/field.tsx'
import { Card } from '../ui/page.tsx'
import { useToast } from '../ui/toast.tsx'

export function PoliciesForm({ policies, canManage }: { policies: PolicySettings; canManage: boolean }) {
  const [draft, setDraft] = useState(policies)
  const [days, setDays] = useState(String(policies.retention_days))
  const save = useOperationMutation('changePolicies', ['getSettings'])
  const showToast = useToast()
  const daysAreValid = /^\d{1,3}$/.test(days) && Number(days) >= 1 && Number(days) <= 365
  return (
    <Card
      title="Results and trust"
      description="For answers from now on; what is stored already keeps the day on which it goes."
    >
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (!daysAreValid) return
          const json = { ...draft, retention_days: Number(days) }
          save.mutate({ json }, { onSuccess: () => showToast('The settings are saved.') })
        }}
      >
        <fieldset disabled={!canManage} className="grid gap-5">
          <legend className="sr-only">Results and trust</legend>
          <div className="max-w-52">
            <TextField
              label="Keep results for (days)"
              inputMode="numeric"
              value={days}
              onChange={({ target }) => setDays(target.value.trim())}
              error={daysAreValid ? undefined : 'Enter 1 to 365.'}
            />
          </div>
          <ChoiceField
            label="Forget on delivery"
            hint="A result goes as soon as your webhook has accepted it."
            checked={draft.forget_on_delivery}
            onChange={({ target }) => setDraft({ ...draft, forget_on_delivery: target.checked })}
          />
          <ChoiceField
            label="Hold back until redeemed"
            hint="With a redirect_url, claims can be read only after the response code came back to you: the person in your browser is the one who answered."
            checked={draft.hold_back}
            onChange={({ target }) => setDraft({ ...draft, hold_back: target.checked })}
          />
          <ChoiceGroup legend="When it cannot be found out whether a credential was revoked">
            <ChoiceField
              kind="radio"
              name="status_unavailable"
              label="Refuse it"
              hint="Unknown is never good."
              checked={draft.status_unavailable === 'fail'}
              onChange={() => setDraft({ ...draft, status_unavailable: 'fail' })}
            />
            <ChoiceField
              kind="radio"
              name="status_unavailable"
              label="Accept it with a warning"
              hint="If you can bear that a revoked credential passes while an issuer’s list is down."
              checked={draft.status_unavailable === 'warning'}
              onChange={() => setDraft({ ...draft, status_unavailable: 'warning' })}
            />
          </ChoiceGroup>
          {save.error !== null && <ErrorMessage error={save.error} inline />}
          {canManage && (
            <div>
              <Button type="submit" variant="primary" busy={save.isPending}>
                Save results and trust
              </Button>
            </div>
          )}
        </fieldset>
      </form>
    </Card>
  )
}
