import { useState } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { DashboardDevice } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { call } from '../api/call.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import type { Texts } from '../texts/languages.ts'
import { Sentence } from '../texts/sentence.tsx'
import { TemplateLink } from '../templates/template-name.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { Page } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { LastTime, Time } from '../ui/time.tsx'
import { EditDevice } from './edit-device.tsx'
import { RegisterDevice } from './register-device.tsx'
import { RenewCode } from './renew-code.tsx'
import { RevokeDevice } from './revoke-device.tsx'
import { SimulatedTillButton, useSimulatedTills } from './simulated-till.tsx'

export function Devices() {
  const texts = useTexts()
  const text = texts.devices
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
  const [action, setAction] = useState<DeviceAction>()
  const closeAction = () => setAction(undefined)
  const simulatedTills = useSimulatedTills()
  const register = canManage && (
    <Button
      variant="primary"
      icon={<Plus className="size-4" aria-hidden />}
      onClick={() => setRegistering(true)}
    >
      {text.register}
    </Button>
  )
  return (
    <Page title={text.title} description={text.description} actions={register}>
      {devices.error !== null && <ErrorMessage error={devices.error} retry={() => void devices.refetch()} />}
      {devices.isPending && <SkeletonRows rows={3} />}
      {devices.isSuccess && rows.length === 0 && (
        <EmptyState title={text.empty.title} action={register}>
          <p>{text.empty.how}</p>
          <p>{text.empty.lost}</p>
        </EmptyState>
      )}
      {rows.length > 0 && (
        <Table
          caption={text.captions[environment]}
          rows={rows}
          rowKey={({ id }) => id}
          columns={columns({ canManage, simulatedTills, act: setAction, texts })}
        />
      )}
      <div className="mt-5 empty:hidden">
        <LoadMore query={devices} label={text.load_older} />
      </div>
      <RegisterDevice open={registering} onClose={() => setRegistering(false)} />
      {action?.kind === 'edit' && <EditDevice target={action.target} onClose={closeAction} />}
      {action?.kind === 'renew' && <RenewCode target={action.target} onClose={closeAction} />}
      {action?.kind === 'revoke' && <RevokeDevice target={action.target} onClose={closeAction} />}
    </Page>
  )
}

type DeviceAction = { kind: 'edit' | 'renew' | 'revoke'; target: DashboardDevice }

type ColumnOptions = {
  canManage: boolean
  simulatedTills: ReadonlySet<string>
  act: (action: DeviceAction) => void
  texts: Texts
}

function columns({ canManage, simulatedTills, act, texts }: ColumnOptions): Column<DashboardDevice>[] {
  const { devices: text, common } = texts
  return [
    { title: common.name, rowHeader: true, cell: ({ name }) => <span className="font-medium">{name}</span> },
    { title: common.status, cell: (device) => <Status {...device} /> },
    {
      title: text.templates,
      cell: ({ allowed_templates }) => (
        <span className="flex flex-wrap gap-1 max-sm:justify-end">
          {allowed_templates.map((template) => (
            <Badge key={template}>
              <TemplateLink templateKey={template} />
            </Badge>
          ))}
        </span>
      ),
    },
    {
      title: text.last_seen,
      cell: ({ last_seen_at }) => <LastTime at={last_seen_at} />,
    },
    {
      title: '',
      end: true,
      cell: (device) =>
        device.status !== 'revoked' && (
          <span className="flex flex-wrap justify-end gap-2">
            {device.status === 'active' && simulatedTills.has(device.id) && (
              <SimulatedTillButton device_id={device.id} label={text.open_till} />
            )}
            {canManage && <DeviceButtons target={device} act={act} />}
          </span>
        ),
    },
  ]
}

function DeviceButtons({ target, act }: { target: DashboardDevice; act: ColumnOptions['act'] }) {
  const { devices, editing } = useTexts()
  const buttons = [
    { kind: 'edit', text: editing.device.edit, label: editing.device.edit_label },
    { kind: 'renew', text: editing.device.new_code, label: editing.device.new_code_label },
    { kind: 'revoke', text: devices.revoke.button, label: devices.revoke.label },
  ] as const
  return buttons.map(({ kind, text, label }) => (
    <Button
      key={kind}
      size="small"
      onClick={() => act({ kind, target })}
      aria-label={fillIn(label, { name: target.name })}
    >
      {text}
    </Button>
  ))
}

function Status({ status, expired, revoked_by_reuse, pairing_expires_at }: DashboardDevice) {
  const text = useTexts().devices.statuses
  if (status === 'active')
    return (
      <Badge tone="good" dot>
        {text.paired}
      </Badge>
    )
  if (status === 'revoked') {
    return (
      <span className="grid justify-items-start gap-0.5 max-sm:justify-items-end">
        <Badge tone="bad">{text.revoked}</Badge>
        {revoked_by_reuse && <span className="text-xs text-soft">{text.reused}</span>}
      </span>
    )
  }
  if (expired) {
    return (
      <span className="grid justify-items-start gap-0.5 max-sm:justify-items-end">
        <Badge>{text.code_expired}</Badge>
        <span className="text-xs text-soft">{text.renew}</span>
      </span>
    )
  }
  return (
    <span className="grid justify-items-start gap-0.5 max-sm:justify-items-end">
      <Badge tone="wait" dot>
        {text.waiting}
      </Badge>
      {pairing_expires_at !== undefined && (
        <span className="text-xs text-soft">
          <Sentence text={text.until} values={{ at: <Time at={pairing_expires_at} /> }} />
        </span>
      )}
    </span>
  )
}
