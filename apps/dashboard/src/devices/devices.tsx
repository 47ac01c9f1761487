import { useState } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { DashboardDevice } from '@vidimus/contract'
import { call } from '../api/call.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { LastTime, Time } from '../ui/time.tsx'
import { RegisterDevice } from './register-device.tsx'
import { RevokeDevice } from './revoke-device.tsx'
import { SimulatedTillButton, useSimulatedTills } from './simulated-till.tsx'

export function Devices() {
  const environment = useEnvironment()
  const canManage = usePermission('manage_devices')
  const devices = useInfiniteQuery({
    queryKey: ['listDevices', 'pages', environment],
    queryFn: ({ pageParam, signal }) =>
      call('listDevices', { params: { environment }, query: { before: pageParam } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => next_before,
  })
  const rows = devices.data?.pages.flatMap(({ data }) => data) ?? []
  const [registering, setRegistering] = useState(false)
  const [revoking, setRevoking] = useState<DashboardDevice>()
  const simulatedTills = useSimulatedTills()
  const register = canManage && (
    <Button
      variant="primary"
      icon={<Plus className="size-4" aria-hidden />}
      onClick={() => setRegistering(true)}
    >
      Register device
    </Button>
  )
  return (
    <Page
      title="Devices"
      description="Tills and tablets that check people on site. Each has its own tokens and can use only the templates you allow."
      actions={register}
    >
      {devices.error !== null && <ErrorMessage error={devices.error} retry={() => void devices.refetch()} />}
      {devices.isPending && <SkeletonRows rows={3} />}
      {devices.isSuccess && rows.length === 0 && (
        <EmptyState title="No devices yet" action={register}>
          <p>
            Register a device here, then open the till on it and scan or type the pairing code. Staff need no
            account.
          </p>
          <p>If a device is lost, revoke it: all its tokens stop working at once.</p>
        </EmptyState>
      )}
      {rows.length > 0 && (
        <Table
          caption={`Devices in the ${environment} environment`}
          rows={rows}
          rowKey={({ id }) => id}
          columns={columns({ canManage, simulatedTills, revoke: setRevoking })}
        />
      )}
      <div className="mt-5 empty:hidden">
        <LoadMore query={devices} label="Load older devices" />
      </div>
      <RegisterDevice open={registering} onClose={() => setRegistering(false)} />
      {revoking !== undefined && <RevokeDevice target={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  )
}

type ColumnOptions = {
  canManage: boolean
  simulatedTills: ReadonlySet<string>
  revoke: (device: DashboardDevice) => void
}

function columns({ canManage, simulatedTills, revoke }: ColumnOptions): Column<DashboardDevice>[] {
  return [
    { title: 'Name', rowHeader: true, cell: ({ name }) => <span className="font-medium">{name}</span> },
    { title: 'Status', cell: (device) => <Status {...device} /> },
    {
      title: 'Templates',
      cell: ({ allowed_templates }) => (
        <span className="flex flex-wrap gap-1 max-sm:justify-end">
          {allowed_templates.map((template) => (
            <Badge key={template}>{template}</Badge>
          ))}
        </span>
      ),
    },
    {
      title: 'Last seen',
      cell: ({ last_seen_at }) => <LastTime at={last_seen_at} />,
    },
    {
      title: '',
      end: true,
      cell: (device) =>
        device.status !== 'revoked' && (
          <span className="flex flex-wrap justify-end gap-2">
            {device.status === 'active' && simulatedTills.has(device.id) && (
              <SimulatedTillButton device_id={device.id} label="Open till" />
            )}
            {canManage && (
              <Button size="small" onClick={() => revoke(device)} aria-label={`Revoke ${device.name}`}>
                Revoke
              </Button>
            )}
          </span>
        ),
    },
  ]
}

function Status({ status, lapsed, revoked_by_reuse, pairing_expires_at }: DashboardDevice) {
  if (status === 'active')
    return (
      <Badge tone="good" dot>
        Paired
      </Badge>
    )
  if (status === 'revoked') {
    return (
      <span className="grid justify-items-start gap-0.5 max-sm:justify-items-end">
        <Badge tone="bad">Revoked</Badge>
        {revoked_by_reuse && <span className="text-xs text-soft">Token reuse detected</span>}
      </span>
    )
  }
  if (lapsed) {
    return (
      <span className="grid justify-items-start gap-0.5 max-sm:justify-items-end">
        <Badge>Code expired</Badge>
        <span className="text-xs text-soft">Register it again</span>
      </span>
    )
  }
  return (
    <span className="grid justify-items-start gap-0.5 max-sm:justify-items-end">
      <Badge tone="wait" dot>
        Waiting for pairing
      </Badge>
      {pairing_expires_at !== undefined && (
        <span className="text-xs text-soft">
          Until <Time at={pairing_expires_at} />
        </span>
      )}
    </span>
  )
}
