import type { OperatorTenantDetail } from '@vidimus/contract'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { LoggedAction } from '../log/logged-action.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'

type OperationsProps = { title: string; operations: NonNullable<OperatorTenantDetail['operations']> }

/** The newest entries of the installation's log about this tenant. */
export function Operations({ title, operations }: OperationsProps) {
  const { tenant, log } = useConsoleTexts()
  const text = tenant.operations
  return (
    <Card title={title} description={text.description}>
      {operations.length === 0 ? (
        <p className="text-sm text-soft">{text.none}</p>
      ) : (
        <Table
          caption={title}
          rows={operations}
          rowKey={({ at, action }) => `${at} ${action}`}
          columns={[
            {
              title: log.action,
              rowHeader: true,
              cell: ({ action, detail }) => <LoggedAction action={action} detail={detail} />,
            },
            { title: log.operator, cell: ({ operator = '–' }) => operator },
            { title: log.reason, cell: ({ reason = '–' }) => <span className="text-soft">{reason}</span> },
            { title: log.time, end: true, cell: ({ at }) => <Time at={at} /> },
          ]}
        />
      )}
    </Card>
  )
}
