import { Link } from '@tanstack/react-router'
import type { Alert } from '@vidimus/contract'
import { useOperationQuery } from '../api/queries.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { describeAlert } from './describe-alert.tsx'

/** The open alerts of the tenant in this environment, and the latest resolved ones. */
export function Alerts() {
  const text = useTexts().alerts
  const environment = useEnvironment()
  const alerts = useOperationQuery('listAlerts', { params: { environment } })
  const data = alerts.data?.data
  const open = data?.filter(({ resolved_at }) => resolved_at === undefined) ?? []
  const resolved = data?.filter(({ resolved_at }) => resolved_at !== undefined) ?? []
  return (
    <Page title={text.title} description={text.description}>
      {alerts.error !== null && <ErrorMessage error={alerts.error} retry={() => void alerts.refetch()} />}
      {alerts.isPending && <SkeletonRows rows={4} />}
      {data?.length === 0 && <EmptyState title={text.none}>{text.none_description}</EmptyState>}
      {data !== undefined && data.length > 0 && (
        <div className="grid gap-8">
          <section className="grid gap-3">
            <h2 className="font-semibold">{text.open}</h2>
            {open.length === 0 ? (
              <p className="text-sm text-soft">{text.none_open}</p>
            ) : (
              <AlertTable caption={text.open_title} alerts={open} />
            )}
          </section>
          {resolved.length > 0 && (
            <section className="grid gap-3">
              <h2 className="font-semibold">{text.resolved}</h2>
              <AlertTable caption={text.resolved_title} alerts={resolved} />
            </section>
          )}
        </div>
      )}
    </Page>
  )
}

function AlertTable({ caption, alerts }: { caption: string; alerts: readonly Alert[] }) {
  const texts = useTexts()
  const formats = useFormats()
  const text = texts.alerts
  const canReadAudit = usePermission('read_audit')
  const columns: Column<Alert>[] = [
    {
      title: text.alert,
      rowHeader: true,
      cell: (alert) => (
        <span className="wrap-anywhere">
          {describeAlert(alert, texts, formats)}
          {canReadAudit && alert.kind === 'access_changed' && <AuditLink alert={alert} />}
        </span>
      ),
    },
    { title: text.raised, cell: ({ raised_at }) => <Time at={raised_at} form="relative" /> },
  ]
  if (alerts[0]?.resolved_at !== undefined)
    columns.push({
      title: text.resolved,
      end: true,
      cell: ({ resolved_at }) => resolved_at !== undefined && <Time at={resolved_at} form="relative" />,
    })
  return <Table caption={caption} rows={alerts} rowKey={({ id }) => id} columns={columns} />
}

function AuditLink({ alert: { details } }: { alert: Alert }) {
  const text = useTexts().alerts
  const environment = useEnvironment()
  const { action, actor, changed } = details
  const search = {
    action: String(action),
    actor: String(actor),
    ...(changed !== undefined && { subject: String(changed) }),
  }
  return (
    <Link
      to="/$environment/audit"
      params={{ environment }}
      search={search}
      className="ml-2 font-normal whitespace-nowrap text-accent underline underline-offset-4"
    >
      {text.audit_entry}
    </Link>
  )
}
