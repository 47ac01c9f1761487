import { useState } from 'react'
import { Plus } from 'lucide-react'
import type { OperatorPlan } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useFormats } from '../../texts/texts-context.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Page } from '../../ui/page.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { useOperationQuery } from '../api.ts'
import { ChangeDialog } from '../change-dialog.tsx'
import { usePermission } from '../shell/console-context.ts'
import { PageForRole } from '../shell/not-for-role.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'
import { PlanForm } from './plan-form.tsx'
import { limitNames } from './plan-values.ts'

/** What tenants may use. A change applies to the next request of every tenant that has the plan. */
export function Plans() {
  const text = useConsoleTexts().plans
  return (
    <PageForRole permission="read_plans" text={text}>
      <PlanList />
    </PageForRole>
  )
}

function PlanList() {
  const { plans: text, common } = useConsoleTexts()
  const formats = useFormats()
  const canManage = usePermission('manage_plans')
  const plans = useOperationQuery('listPlans', {})
  const [editing, setEditing] = useState<OperatorPlan | 'new'>()
  const [removing, setRemoving] = useState<OperatorPlan>()
  const defaultPlan = plans.data?.data[0]
  const columns: Column<OperatorPlan>[] = [
    {
      title: common.name,
      rowHeader: true,
      cell: ({ name, by_default }) => (
        <span className="inline-flex flex-wrap items-center gap-2">
          <span className="font-semibold">{name}</span>
          {by_default && <Badge tone="accent">{text.by_default}</Badge>}
        </span>
      ),
    },
    {
      title: text.values.daily_quota,
      end: true,
      cell: ({ daily_quota }) => <span className="tabular">{formats.integer(daily_quota)}</span>,
    },
    {
      title: '',
      end: true,
      cell: (plan) =>
        canManage && (
          <span className="inline-flex gap-1.5">
            <Button
              size="small"
              onClick={() => setEditing(plan)}
              aria-label={fillIn(text.edit.label, { name: plan.name })}
            >
              {text.edit.button}
            </Button>
            {!plan.by_default && (
              <Button
                size="small"
                onClick={() => setRemoving(plan)}
                aria-label={fillIn(text.remove.label, { name: plan.name })}
              >
                {text.remove.button}
              </Button>
            )}
          </span>
        ),
    },
  ]
  return (
    <Page
      title={text.title}
      description={text.description}
      actions={
        canManage &&
        defaultPlan !== undefined && (
          <Button
            variant="primary"
            icon={<Plus className="size-4" aria-hidden />}
            onClick={() => setEditing('new')}
          >
            {text.create}
          </Button>
        )
      }
    >
      {plans.error !== null && <ErrorMessage error={plans.error} retry={() => void plans.refetch()} />}
      {plans.isPending && <SkeletonRows rows={3} />}
      {plans.data !== undefined && (
        <Table
          caption={text.caption}
          rows={plans.data.data}
          rowKey={({ name }) => name}
          columns={columns}
          below={(plan) => <Limits plan={plan} />}
        />
      )}
      {editing !== undefined && defaultPlan !== undefined && (
        <PlanForm
          plan={editing === 'new' ? undefined : editing}
          template={editing === 'new' ? defaultPlan : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {removing !== undefined && (
        <ChangeDialog
          op="removePlan"
          input={{ params: { name: removing.name } }}
          invalidates={['listPlans', 'listLog']}
          successMessage={fillIn(text.remove.done, { name: removing.name })}
          title={fillIn(text.remove.title, { name: removing.name })}
          description={text.remove.description}
          submit={text.remove.submit}
          variant="danger"
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Page>
  )
}

/** What a plan allows beside its quota. */
function Limits({ plan }: { plan: OperatorPlan }) {
  const text = useConsoleTexts().plans.values
  const formats = useFormats()
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 text-start text-sm">
      {limitNames.map((name) => (
        <div key={name} className="flex gap-1.5">
          <dt className="text-soft">{text[name]}</dt>
          <dd className="tabular">{formats.integer(plan[name])}</dd>
        </div>
      ))}
    </dl>
  )
}
