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
    <Card title="Results" description="Applies to new results. Stored results keep their deletion date.">
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (!daysAreValid) return
          const json = { ...draft, retention_days: Number(days) }
          save.mutate({ json }, { onSuccess: () => showToast('Settings saved.') })
        }}
      >
        <fieldset disabled={!canManage} className="grid gap-5">
          <legend className="sr-only">Results</legend>
          <div className="max-w-52">
            <TextField
              label="Keep results for (days)"
              inputMode="numeric"
              value={days}
              onChange={({ target }) => setDays(target.value.trim())}
              error={daysAreValid ? undefined : 'Enter a number from 1 to 365.'}
            />
          </div>
          <ChoiceField
            label="Delete result after delivery"
            hint="The result is deleted as soon as your webhook accepts it."
            checked={draft.forget_on_delivery}
            onChange={({ target }) => setDraft({ ...draft, forget_on_delivery: target.checked })}
          />
          <ChoiceField
            label="Withhold result until redeemed"
            hint="With a redirect_url, the result stays hidden until you redeem the response code. This proves that the person in the browser is the one who responded."
            checked={draft.hold_back}
            onChange={({ target }) => setDraft({ ...draft, hold_back: target.checked })}
          />
          <ChoiceGroup legend="If revocation can’t be checked">
            <ChoiceField
              kind="radio"
              name="status_unavailable"
              label="Fail the verification"
              hint="Recommended."
              checked={draft.status_unavailable === 'fail'}
              onChange={() => setDraft({ ...draft, status_unavailable: 'fail' })}
            />
            <ChoiceField
              kind="radio"
              name="status_unavailable"
              label="Accept the credential with a warning"
              hint="A revoked credential can pass while the issuer’s status list is unavailable."
              checked={draft.status_unavailable === 'warning'}
              onChange={() => setDraft({ ...draft, status_unavailable: 'warning' })}
            />
          </ChoiceGroup>
          {save.error !== null && <ErrorMessage error={save.error} inline />}
          {canManage && (
            <div>
              <Button type="submit" variant="primary" busy={save.isPending}>
                Save result settings
              </Button>
            </div>
          )}
        </fieldset>
      </form>
    </Card>
  )
}
