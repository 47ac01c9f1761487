import type { OperationOutput } from '../api/call.ts'
import { useOperationQuery } from '../api/queries.ts'
import { usePermission } from '../shell/shell-context.ts'
import { Badge } from '../ui/badge.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card, Page } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { BrandForm } from './brand-form.tsx'
import { HolderPageForm } from './holder-page-form.tsx'
import { Identity } from './identity.tsx'
import { TrustAnchors } from './trust-anchors.tsx'
import { PoliciesForm } from './policies-form.tsx'

export function Settings() {
  const settings = useOperationQuery('getSettings', {})
  const canManage = usePermission('manage_settings')
  const { data } = settings
  return (
    <Page
      title="Settings"
      description={`Brand, results, holder’s page, certificate and trusted issuers. ${canManage ? 'Everything except trust anchors applies to both test and live.' : 'Only owners and admins can change them.'}`}
    >
      {settings.error !== null && (
        <ErrorMessage error={settings.error} retry={() => void settings.refetch()} />
      )}
      {settings.isPending && <SkeletonRows rows={8} />}
      {data !== undefined && (
        <div className="grid gap-6">
          <BrandForm brand={data.brand} canManage={canManage} />
          <PoliciesForm policies={data.policies} canManage={canManage} />
          <HolderPageForm holderPage={data.holder_page} canManage={canManage} />
          <Identity certificate={data.certificate} verifierInfo={data.verifier_info} canManage={canManage} />
          <TrustAnchors trust={data.own_trust} canManage={canManage} />
          <TrustLists lists={data.trust_lists} />
        </div>
      )}
    </Page>
  )
}

function TrustLists({ lists }: { lists: OperationOutput<'getSettings'>['trust_lists'] }) {
  return (
    <Card
      title="Trust lists"
      description="Lists of trusted issuers, maintained by the operator of the service."
    >
      {lists.length === 0 ? (
        <p className="text-sm text-soft">
          No trust list is configured. Test trusts the sandbox issuer; live trusts the authorities that the
          operator added with <code>vidimus trust add</code>.
        </p>
      ) : (
        <Table
          caption="Trust lists"
          rows={lists}
          rowKey={({ environment, url }) => `${environment} ${url}`}
          columns={[
            {
              title: 'List',
              rowHeader: true,
              cell: ({ url }) => <code className="text-xs break-all">{url}</code>,
            },
            {
              title: 'Environment',
              cell: ({ environment }) => <span className="capitalize">{environment}</span>,
            },
            { title: 'Authorities', cell: ({ anchors }) => <span className="tabular">{anchors}</span> },
            {
              title: 'State',
              cell: ({ lapsed, stale, fault }) => (
                <span className="grid gap-0.5">
                  <span>
                    {lapsed && <Badge tone="bad">Expired</Badge>}
                    {!lapsed && stale && <Badge tone="wait">Out of date</Badge>}
                    {!lapsed && !stale && <Badge tone="good">Up to date</Badge>}
                  </span>
                  {fault !== undefined && <span className="text-xs text-soft">{fault}</span>}
                </span>
              ),
            },
            {
              title: 'Trusted until',
              end: true,
              cell: ({ trusted_until }) => (trusted_until === undefined ? '–' : <Time at={trusted_until} />),
            },
          ]}
        />
      )}
    </Card>
  )
}
