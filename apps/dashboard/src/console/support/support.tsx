import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { Environment } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Page } from '../../ui/page.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useOperationQuery } from '../api.ts'
import { PageForRole } from '../shell/not-for-role.tsx'
import { SupportAccess } from '../tenants/support-access.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'
import {
  SupportDeliveries,
  SupportRequests,
  SupportTemplates,
  SupportVerifications,
} from './support-lists.tsx'

const environments = ['live', 'test'] as const satisfies readonly Environment[]

const views = {
  verifications: SupportVerifications,
  deliveries: SupportDeliveries,
  requests: SupportRequests,
  templates: SupportTemplates,
}
type View = keyof typeof views
const viewNames = Object.keys(views) as View[] // an object has no other keys

/** What operators see of a tenant while it lets them: no claim, no secret. Each list that is opened is in the tenant's own log. */
export function SupportPage() {
  const text = useConsoleTexts().support
  return (
    <PageForRole permission="support_tenants" text={text}>
      <Support />
    </PageForRole>
  )
}

function Support() {
  const text = useConsoleTexts().support
  const { id } = useParams({ from: '/shell/tenants/$id/support' })
  const tenant = useOperationQuery('getTenant', { params: { id } })
  const support = useOperationQuery('getSupportAccess', { params: { id } })
  const error = tenant.error ?? support.error
  const name = tenant.data?.name ?? ''
  return (
    <>
      <p className="mb-2 text-sm">
        <Link
          to="/tenants/$id"
          params={{ id }}
          className="inline-flex items-center gap-1.5 text-accent hover:underline"
        >
          <ArrowLeft className="size-4" aria-hidden /> {name}
        </Link>
      </p>
      <Page title={text.title} description={fillIn(text.of, { name })}>
        {error !== null && <ErrorMessage error={error} />}
        {support.data === undefined && error === null && <Skeleton className="h-64 w-full" />}
        {support.data !== undefined && (
          <div className="grid gap-4">
            <div className="flex flex-wrap items-center justify-between gap-4 rounded-lg border border-line bg-surface px-5 py-4">
              <SupportAccess tenant_id={id} name={name} />
              <p className="max-w-prose text-sm text-soft">
                {support.data.access === undefined ? text.without_access : text.recorded}
              </p>
            </div>
            {support.data.access !== undefined && <Lists tenant_id={id} />}
          </div>
        )}
      </Page>
    </>
  )
}

function Lists({ tenant_id }: { tenant_id: string }) {
  const { support: text, common } = useConsoleTexts()
  const search = useSearch({ from: '/shell/tenants/$id/support' })
  const navigate = useNavigate()
  const environment = environments.find((each) => each === search.environment) ?? 'live'
  const view = viewNames.find((each) => each === search.view) ?? 'verifications'
  const set = (to: { environment?: Environment; view?: View }) =>
    void navigate({ to: '.', search: { environment, view, ...to }, replace: true, resetScroll: false })
  const List = views[view]
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap justify-between gap-3">
        <Segments
          label={text.view}
          value={view}
          onChange={(to) => set({ view: to })}
          options={viewNames.map((value) => ({ value, label: text.views[value] }))}
        />
        <Segments
          label={text.environment}
          value={environment}
          onChange={(to) => set({ environment: to })}
          options={environments.map((value) => ({ value, label: common.environments[value] }))}
        />
      </div>
      <List key={`${view} ${environment}`} tenant_id={tenant_id} environment={environment} />
    </div>
  )
}
