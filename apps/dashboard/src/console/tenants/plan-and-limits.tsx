import { useState } from 'react'
import type { OperatorTenantDetail } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useFormats } from '../../texts/texts-context.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { ChoiceField, SelectField, TextField } from '../../ui/field.tsx'
import { Card, Fact, Facts } from '../../ui/page.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useOperationMutation, useOperationQuery } from '../api.ts'
import { usePermission } from '../shell/console-context.ts'
import { useConsoleTexts } from '../texts/console-texts.ts'
import { limitNames, readCount } from '../plans/plan-values.ts'
import { omitEmpty, ReasonField } from './form-parts.tsx'

const invalidates = ['getTenant', 'listTenants', 'listLog'] as const

/** What the tenant may use. */
export function PlanAndLimits({ tenant }: { tenant: OperatorTenantDetail }) {
  const { tenant: page, plans } = useConsoleTexts()
  const text = page.plan
  const formats = useFormats()
  const canManage = usePermission('manage_plans')
  const [changing, setChanging] = useState<'plan' | 'quota'>()
  const close = () => setChanging(undefined)
  return (
    <Card
      title={text.title}
      actions={
        canManage && (
          <span className="flex flex-wrap gap-2">
            <Button size="small" onClick={() => setChanging('plan')}>
              {text.change_plan}
            </Button>
            <Button size="small" onClick={() => setChanging('quota')}>
              {text.change_quota}
            </Button>
          </span>
        )
      }
    >
      <Facts>
        <Fact name={text.plan}>{tenant.plan}</Fact>
        <Fact name={plans.values.daily_quota}>
          <span className="tabular">{formats.integer(tenant.daily_quota)}</span>{' '}
          <span className="text-soft">{tenant.has_own_quota ? text.own_quota : text.of_plan}</span>
        </Fact>
        {limitNames.map((name) => (
          <Fact key={name} name={plans.values[name]}>
            <span className="tabular">{formats.integer(tenant.limits[name])}</span>
          </Fact>
        ))}
      </Facts>
      {changing === 'plan' && <ChangePlan tenant={tenant} onClose={close} />}
      {changing === 'quota' && <ChangeQuota tenant={tenant} onClose={close} />}
    </Card>
  )
}

type ChangeProps = { tenant: OperatorTenantDetail; onClose: () => void }

function ChangePlan({ tenant, onClose }: ChangeProps) {
  const text = useConsoleTexts().tenant.plan
  const showToast = useToast()
  const [plan, setPlan] = useState(tenant.plan)
  const [reason, setReason] = useState('')
  const plans = useOperationQuery('listPlans', {})
  const change = useOperationMutation('setTenantPlan', invalidates)
  const names = plans.data?.data.map(({ name }) => name) ?? [tenant.plan]
  return (
    <FormDialog
      open
      onClose={onClose}
      title={fillIn(text.change_plan_title, { name: tenant.name })}
      description={tenant.has_own_quota ? text.quota_stays : undefined}
      submit={text.change_plan}
      disabled={plan === tenant.plan}
      busy={change.isPending}
      error={change.error ?? plans.error}
      onSubmit={() =>
        change.mutate(
          { params: { id: tenant.id }, json: { plan, ...omitEmpty({ reason }) } },
          { onSuccess: () => (showToast(text.plan_changed), onClose()) },
        )
      }
    >
      <SelectField label={text.plan} value={plan} onChange={({ target }) => setPlan(target.value)}>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  )
}

function ChangeQuota({ tenant, onClose }: ChangeProps) {
  const text = useConsoleTexts().tenant.plan
  const showToast = useToast()
  const [ofPlan, setOfPlan] = useState(!tenant.has_own_quota)
  const [quota, setQuota] = useState(String(tenant.daily_quota))
  const [reason, setReason] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const change = useOperationMutation('setTenantQuota', invalidates)
  const count = readCount(quota)
  const isInvalid = !ofPlan && count === undefined
  return (
    <FormDialog
      open
      onClose={onClose}
      title={fillIn(text.change_quota_title, { name: tenant.name })}
      description={text.quota_description}
      submit={text.change_quota}
      busy={change.isPending}
      error={change.error}
      onSubmit={() => {
        setSubmitted(true)
        if (isInvalid) return
        const daily_quota = ofPlan ? null : (count ?? null)
        change.mutate(
          { params: { id: tenant.id }, json: { daily_quota, ...omitEmpty({ reason }) } },
          { onSuccess: () => (showToast(text.quota_changed), onClose()) },
        )
      }}
    >
      <ChoiceField
        label={text.use_quota_of_plan}
        checked={ofPlan}
        onChange={({ target }) => setOfPlan(target.checked)}
      />
      {!ofPlan && (
        <TextField
          label={text.quota}
          inputMode="numeric"
          maxLength={9}
          value={quota}
          onChange={({ target }) => setQuota(target.value)}
          error={submitted && isInvalid ? text.quota_invalid : undefined}
        />
      )}
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  )
}
