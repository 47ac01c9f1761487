import { useEffect, type ReactNode } from 'react'
import { Link, Outlet } from '@tanstack/react-router'
import { AlertWebhook } from '../alerts/alert-webhook.tsx'
import type { OperationOutput } from '../api/call.ts'
import { useOperationQuery } from '../api/queries.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Badge } from '../ui/badge.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { NotForRole } from '../ui/not-for-role.tsx'
import { Card, Page } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { SealingSettings } from '../sealing/sealing-settings.tsx'
import { BrandForm } from './brand-form.tsx'
import { EcosystemIdentities } from './ecosystem-identities.tsx'
import { HolderPageForm } from './holder-page-form.tsx'
import { Identity } from './identity.tsx'
import { ServiceAnchors } from './service-anchors.tsx'
import { RequestLogForm } from './request-log-form.tsx'
import { SupportForm } from './support-form.tsx'
import { TrustAnchors } from './trust-anchors.tsx'
import { PoliciesForm } from './policies-form.tsx'

/** The sections, each with an address of its own, in the order of the navigation. */
const sections = [
  { to: '/$environment/settings/brand', name: 'brand' },
  { to: '/$environment/settings/policies', name: 'policies' },
  { to: '/$environment/settings/holder-page', name: 'holder_page' },
  { to: '/$environment/settings/identity', name: 'identity' },
  { to: '/$environment/settings/trust', name: 'trust' },
  { to: '/$environment/settings/sealing', name: 'sealing' },
  { to: '/$environment/settings/request-log', name: 'request_log' },
  { to: '/$environment/settings/alerts', name: 'alerts' },
  { to: '/$environment/settings/support', name: 'support' },
] as const

type SectionName = (typeof sections)[number]['name']

/** The navigation between the sections, beside the one that is open. */
export function Settings() {
  const text = useTexts().settings
  const environment = useEnvironment()
  const canManage = usePermission('manage_settings')
  return (
    <Page title={text.title} description={canManage ? text.description : text.description_read_only}>
      <div className="grid gap-6 xl:grid-cols-[11rem_minmax(0,1fr)] xl:gap-8">
        <nav
          aria-label={text.title}
          className="flex flex-wrap max-xl:gap-x-1 max-xl:border-b max-xl:border-line xl:sticky xl:top-[calc(var(--ribbon)+1.5rem)] xl:flex-col xl:self-start"
        >
          {sections
            .filter(({ name }) => canManage || name !== 'alerts')
            .map(({ to, name }) => (
              <Link
                key={name}
                to={to}
                params={{ environment }}
                className="border-transparent px-3 py-2 text-sm text-soft -outline-offset-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-semibold aria-[current=page]:text-ink max-xl:-mb-px max-xl:border-b-2 xl:border-l-2 xl:not-aria-[current=page]:border-line"
              >
                {text.sections[name]}
              </Link>
            ))}
        </nav>
        <div className="grid content-start gap-6">
          <Outlet />
        </div>
      </div>
    </Page>
  )
}

export const BrandSettings = () => (
  <Section name="brand">
    {(data, canManage) => <BrandForm brand={data.brand} canManage={canManage} />}
  </Section>
)

export const PolicySettings = () => (
  <Section name="policies">
    {(data, canManage) => <PoliciesForm policies={data.policies} canManage={canManage} />}
  </Section>
)

export const HolderPageSettings = () => (
  <Section name="holder_page">
    {(data, canManage) => (
      <HolderPageForm holderPage={data.holder_page} erasureUrl={data.erasure_url} canManage={canManage} />
    )}
  </Section>
)

export const IdentitySettings = () => (
  <Section name="identity">
    {(data, canManage) => (
      <>
        <Identity certificate={data.certificate} canManage={canManage} />
        <EcosystemIdentities identities={data.identities} canManage={canManage} />
      </>
    )}
  </Section>
)

export const TrustSettings = () => (
  <Section name="trust">
    {(data, canManage) => (
      <>
        <TrustAnchors trust={data.own_trust} canManage={canManage} />
        <ServiceAnchors />
        <TrustLists lists={data.trust_lists} />
      </>
    )}
  </Section>
)

export const RequestLogSettings = () => (
  <Section name="request_log">
    {(data, canManage) => <RequestLogForm settings={data.request_log} canManage={canManage} />}
  </Section>
)

export const SealedResultSettings = () => (
  <Section name="sealing">{(_, canManage) => <SealingSettings canManage={canManage} />}</Section>
)

export const AlertSettings = () => (
  <Section name="alerts">
    {(_, canManage) => (canManage ? <AlertWebhook /> : <NotForRole permission="manage_settings" />)}
  </Section>
)

export const SupportSettings = () => (
  <Section name="support">{(_, canManage) => <SupportForm canManage={canManage} />}</Section>
)

type SettingsData = OperationOutput<'getSettings'>

function Section({
  name,
  children,
}: {
  name: SectionName
  children: (data: SettingsData, canManage: boolean) => ReactNode
}) {
  const text = useTexts().settings
  const settings = useOperationQuery('getSettings', {})
  const canManage = usePermission('manage_settings')
  const title = `${text.sections[name]} · ${text.title}`
  useEffect(() => {
    document.title = `${title} · Vidimus`
  }, [title])
  if (settings.error !== null)
    return <ErrorMessage error={settings.error} retry={() => void settings.refetch()} />
  return settings.isPending ? <SkeletonRows rows={8} /> : children(settings.data, canManage)
}

function TrustLists({ lists }: { lists: SettingsData['trust_lists'] }) {
  const { settings, common } = useTexts()
  const text = settings.trust_lists
  return (
    <Card title={text.title} description={text.description}>
      {lists.length === 0 ? (
        <p className="text-sm text-soft">
          <Sentence text={text.none} values={{ command: <code>vidimus admin trust add</code> }} />
        </p>
      ) : (
        <Table
          caption={text.title}
          rows={lists}
          rowKey={({ environment, url }) => `${environment} ${url}`}
          columns={[
            {
              title: text.list,
              rowHeader: true,
              cell: ({ url }) => <code className="text-xs break-all">{url}</code>,
            },
            {
              title: settings.environment,
              cell: ({ environment }) => common.environments[environment],
            },
            { title: text.authorities, cell: ({ anchors }) => <span className="tabular">{anchors}</span> },
            {
              title: text.state,
              cell: ({ expired, stale, fault }) => (
                <span className="grid gap-0.5">
                  <span>
                    {expired && <Badge tone="bad">{text.expired}</Badge>}
                    {!expired && stale && <Badge tone="wait">{text.out_of_date}</Badge>}
                    {!expired && !stale && <Badge tone="good">{text.up_to_date}</Badge>}
                  </span>
                  {fault !== undefined && (
                    <span className="text-xs text-soft" lang="en">
                      {fault}
                    </span>
                  )}
                </span>
              ),
            },
            {
              title: text.trusted_until,
              end: true,
              cell: ({ trusted_until }) => (trusted_until === undefined ? '–' : <Time at={trusted_until} />),
            },
          ]}
        />
      )}
    </Card>
  )
}
