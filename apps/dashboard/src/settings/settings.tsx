import { AlertWebhook } from '../alerts/alert-webhook.tsx'
import type { OperationOutput } from '../api/call.ts'
import { useOperationQuery } from '../api/queries.ts'
import { usePermission } from '../shell/shell-context.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Badge } from '../ui/badge.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card, Page } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { BrandForm } from './brand-form.tsx'
import { EcosystemIdentities } from './ecosystem-identities.tsx'
import { HolderPageForm } from './holder-page-form.tsx'
import { Identity } from './identity.tsx'
import { ServiceAnchors } from './service-anchors.tsx'
import { RequestLogForm } from './request-log-form.tsx'
import { TrustAnchors } from './trust-anchors.tsx'
import { PoliciesForm } from './policies-form.tsx'

export function Settings() {
  const text = useTexts().settings
  const settings = useOperationQuery('getSettings', {})
  const canManage = usePermission('manage_settings')
  const { data } = settings
  return (
    <Page title={text.title} description={canManage ? text.description : text.description_read_only}>
      {settings.error !== null && (
        <ErrorMessage error={settings.error} retry={() => void settings.refetch()} />
      )}
      {settings.isPending && <SkeletonRows rows={8} />}
      {data !== undefined && (
        <div className="grid gap-6">
          <BrandForm brand={data.brand} canManage={canManage} />
          <PoliciesForm policies={data.policies} canManage={canManage} />
          <HolderPageForm holderPage={data.holder_page} canManage={canManage} />
          <RequestLogForm settings={data.request_log} canManage={canManage} />
          <Identity certificate={data.certificate} canManage={canManage} />
          <EcosystemIdentities identities={data.identities} canManage={canManage} />
          <TrustAnchors trust={data.own_trust} canManage={canManage} />
          <ServiceAnchors />
          <TrustLists lists={data.trust_lists} />
          {canManage && <AlertWebhook />}
        </div>
      )}
    </Page>
  )
}

function TrustLists({ lists }: { lists: OperationOutput<'getSettings'>['trust_lists'] }) {
  const { settings, common } = useTexts()
  const text = settings.trust_lists
  return (
    <Card title={text.title} description={text.description}>
      {lists.length === 0 ? (
        <p className="text-sm text-soft">
          <Sentence text={text.none} values={{ command: <code>vidimus trust add</code> }} />
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
