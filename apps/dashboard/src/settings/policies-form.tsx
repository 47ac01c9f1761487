import { useState } from 'react'
import type { PolicySettings } from '@vidimus/contract'
import { useChange } from '../api/queries.ts'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/failure.tsx'
import { Choices, TextField, Tick } from '../ui/field.tsx'
import { Card } from '../ui/page.tsx'
import { useSay } from '../ui/toast.tsx'

export function PoliciesForm({ policies, manages }: { policies: PolicySettings; manages: boolean }) {
  const [draft, setDraft] = useState(policies)
  const [days, setDays] = useState(String(policies.retention_days))
  const save = useChange('changePolicies', ['getSettings'])
  const say = useSay()
  const fine = /^\d{1,3}$/.test(days) && Number(days) >= 1 && Number(days) <= 365
  return (
    <Card
      title="Results and trust"
      lead="For answers from now on; what is stored already keeps the day on which it goes."
    >
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (!fine) return
          const json = { ...draft, retention_days: Number(days) }
          save.mutate({ json }, { onSuccess: () => say('The settings are saved.') })
        }}
      >
        <fieldset disabled={!manages} className="grid gap-5">
          <legend className="sr-only">Results and trust</legend>
          <div className="max-w-52">
            <TextField
              label="Keep results for (days)"
              inputMode="numeric"
              value={days}
              onChange={({ target }) => setDays(target.value.trim())}
              error={fine ? undefined : 'Enter 1 to 365.'}
            />
          </div>
          <Tick
            label="Forget on delivery"
            hint="A result goes as soon as your webhook has accepted it."
            checked={draft.forget_on_delivery}
            onChange={({ target }) => setDraft({ ...draft, forget_on_delivery: target.checked })}
          />
          <Tick
            label="Hold back until redeemed"
            hint="With a redirect_url, claims can be read only after the response code came back to you: the person in your browser is the one who answered."
            checked={draft.hold_back}
            onChange={({ target }) => setDraft({ ...draft, hold_back: target.checked })}
          />
          <Choices legend="When it cannot be found out whether a credential was revoked">
            <Tick
              kind="radio"
              name="status_unavailable"
              label="Refuse it"
              hint="Unknown is never good."
              checked={draft.status_unavailable === 'fail'}
              onChange={() => setDraft({ ...draft, status_unavailable: 'fail' })}
            />
            <Tick
              kind="radio"
              name="status_unavailable"
              label="Accept it with a warning"
              hint="If you can bear that a revoked credential passes while an issuer’s list is down."
              checked={draft.status_unavailable === 'warning'}
              onChange={() => setDraft({ ...draft, status_unavailable: 'warning' })}
            />
          </Choices>
          {save.error !== null && <Failure error={save.error} inline />}
          {manages && (
            <div>
              <Button type="submit" look="primary" busy={save.isPending}>
                Save results and trust
              </Button>
            </div>
          )}
        </fieldset>
      </form>
    </Card>
  )
}
