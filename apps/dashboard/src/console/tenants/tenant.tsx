import { useState, type ReactNode } from 'react'
import { Link, useParams } from '@tanstack/react-router'
import { ArrowLeft, Ban, EllipsisVertical, Play, Trash2, XCircle } from 'lucide-react'
import type { OperatorTenantDetail } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { Sentence } from '../../texts/sentence.tsx'
import { useFormats } from '../../texts/texts-context.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Figure, ShareBar } from '../../ui/figure.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { useOperationQuery } from '../api.ts'
import { usePermission } from '../shell/console-context.ts'
import { PageForRole } from '../shell/not-for-role.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'
import { CloseTenant, DeleteTenant, KeepTenant, ResumeTenant } from './change-state.tsx'
import { quotaColour } from './quota-meter.tsx'
import { StateBadge } from './state-badge.tsx'
import { SuspendTenant } from './suspend-tenant.tsx'
import { Operations } from './operations.tsx'
import { People } from './people.tsx'
import { PlanAndLimits } from './plan-and-limits.tsx'
import { formatAccepted } from './tenants.tsx'
import { TenantUsage } from './tenant-usage.tsx'

/** One tenant: its state, plan, usage and people. Never a claim. */
export function TenantPage() {
  const text = useConsoleTexts().tenants
  return (
    <PageForRole permission="read_tenants" text={text}>
      <Tenant />
    </PageForRole>
  )
}

function Tenant() {
  const { tenants, tenant: text } = useConsoleTexts()
  const { id } = useParams({ from: '/shell/tenants/$id' })
  const query = useOperationQuery('getTenant', { params: { id } })
  const canReadUsage = usePermission('read_usage')
  const { data: tenant } = query
  if (query.error !== null) {
    return (
      <Page title={tenants.tenant} description={<BackToTenants />}>
        <ErrorMessage error={query.error} retry={() => void query.refetch()} />
      </Page>
    )
  }
  if (tenant === undefined) {
    return (
      <div>
        <Skeleton className="mb-3 h-9 w-56" />
        <SkeletonRows />
      </div>
    )
  }
  return (
    <>
      <p className="mb-2 text-sm">
        <BackToTenants />
      </p>
      <Page
        title={tenant.name}
        description={<Subtitle tenant={tenant} />}
        actions={<Actions tenant={tenant} />}
      >
        <div className="grid gap-4">
          <StateNotice tenant={tenant} />
          <Figures tenant={tenant} />
          <div className="grid gap-4 lg:grid-cols-2">
            <People tenant={tenant} />
            <PlanAndLimits tenant={tenant} />
          </div>
          {canReadUsage && <TenantUsage tenant_id={tenant.id} />}
          {tenant.operations !== undefined && (
            <Operations operations={tenant.operations} title={text.operations.title} />
          )}
        </div>
      </Page>
    </>
  )
}

function BackToTenants() {
  return (
    <Link to="/tenants" className="inline-flex items-center gap-1.5 text-accent hover:underline">
      <ArrowLeft className="size-4" aria-hidden /> {useConsoleTexts().tenants.title}
    </Link>
  )
}

function Subtitle({
  tenant: { id, external_id, state, plan, created_at },
}: {
  tenant: OperatorTenantDetail
}) {
  const { tenant: text } = useConsoleTexts()
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <StateBadge state={state} />
      <span className="inline-flex items-center">
        <code className="text-sm">{id}</code>
        <CopyButton text={id} label={text.copy_id} />
      </span>
      {external_id !== undefined && <code className="text-sm">{external_id}</code>}
      <span>
        <Sentence text={text.since} values={{ plan, at: <Time at={created_at} form="day" /> }} />
      </span>
    </span>
  )
}

type Change = 'suspend' | 'resume' | 'close' | 'delete' | 'keep'

/** What may be done next. Everything that is lasting asks for the passkey. */
function Actions({ tenant }: { tenant: OperatorTenantDetail }) {
  const { tenant: text } = useConsoleTexts()
  const canManage = usePermission('manage_tenants')
  const [change, setChange] = useState<Change>()
  if (!canManage) return null
  const { state, deletion_at } = tenant
  const isDeleted = deletion_at !== undefined
  const dialogs: Record<Change, ReactNode> = {
    suspend: <SuspendTenant tenant={tenant} onClose={() => setChange(undefined)} />,
    resume: <ResumeTenant tenant={tenant} onClose={() => setChange(undefined)} />,
    close: <CloseTenant tenant={tenant} onClose={() => setChange(undefined)} />,
    delete: <DeleteTenant tenant={tenant} onClose={() => setChange(undefined)} />,
    keep: <KeepTenant tenant={tenant} onClose={() => setChange(undefined)} />,
  }
  return (
    <>
      {isDeleted && <Button onClick={() => setChange('keep')}>{text.keep.button}</Button>}
      {!isDeleted && state === 'active' && (
        <Button icon={<Ban className="size-4" aria-hidden />} onClick={() => setChange('suspend')}>
          {text.suspend.button}
        </Button>
      )}
      {!isDeleted && state === 'suspended' && (
        <Button icon={<Play className="size-4" aria-hidden />} onClick={() => setChange('resume')}>
          {text.resume.button}
        </Button>
      )}
      {!isDeleted && (
        <Menu
          trigger={
            <IconButton label={text.more} className="size-9.5 border border-line bg-surface">
              <EllipsisVertical className="size-4.5" aria-hidden />
            </IconButton>
          }
        >
          {state !== 'closed' && (
            <MenuItem icon={<XCircle className="size-4" aria-hidden />} onSelect={() => setChange('close')}>
              {text.close.button}
            </MenuItem>
          )}
          <MenuItem
            danger
            icon={<Trash2 className="size-4" aria-hidden />}
            onSelect={() => setChange('delete')}
          >
            {text.delete.button}
          </MenuItem>
        </Menu>
      )}
      {change !== undefined && dialogs[change]}
    </>
  )
}

/** Why the tenant creates no verifications, in the words that its members read. */
function StateNotice({ tenant }: { tenant: OperatorTenantDetail }) {
  const text = useConsoleTexts().tenant.notice
  const { state, state_changed_at, state_reason, deletion_at } = tenant
  if (state === 'active') return null
  return (
    <div role="status" className="rounded-lg border border-wait/40 bg-wait-tint px-5 py-3.5 text-sm">
      <p className="font-semibold">
        <Sentence
          text={text[state]}
          values={{ at: state_changed_at === undefined ? '–' : <Time at={state_changed_at} /> }}
        />
      </p>
      {state_reason !== undefined && (
        <p className="mt-1 wrap-anywhere">{fillIn(text.reads, { reason: state_reason })}</p>
      )}
      {deletion_at !== undefined && (
        <p className="mt-1 font-semibold text-bad">
          <Sentence text={text.deletion} values={{ at: <Time at={deletion_at} /> }} />
        </p>
      )}
    </div>
  )
}

function Figures({ tenant }: { tenant: OperatorTenantDetail }) {
  const { tenant: page, tenants } = useConsoleTexts()
  const text = page.figures
  const formats = useFormats()
  const { usage_this_month: month, created_today, daily_quota } = tenant
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <Figure
        name={text.today}
        value={formats.integer(created_today)}
        note={fillIn(tenants.of_quota, { quota: formats.integer(daily_quota) })}
      >
        <ShareBar part={created_today} of={daily_quota} label={tenants.quota_share} colour={quotaColour} />
      </Figure>
      <Figure name={text.live} value={formats.integer(month.live.created)} note={text.live_note} />
      <Figure name={text.test} value={formats.integer(month.test.created)} note={text.test_note} />
      <Figure
        name={text.accepted}
        value={formatAccepted(month.live, formats) ?? '–'}
        note={formats.count(text.accepted_note, month.live.completed)}
      />
    </div>
  )
}
