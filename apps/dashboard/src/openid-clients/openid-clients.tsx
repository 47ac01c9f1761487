import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { CreatedOpenIdClient, OpenIdClient } from '@vidimus/contract'
import { operationQuery } from '../api/queries.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { ListPage } from '../ui/list-page.tsx'
import { Table } from '../ui/table.tsx'
import { clientColumns, type ClientAction } from './client-columns.tsx'
import { ClientForm } from './client-form.tsx'
import { ClientValues } from './client-values.tsx'
import { DeleteClient } from './delete-client.tsx'
import { NotLogin } from './not-login.tsx'
import { RollClientSecret } from './roll-client-secret.tsx'

const refetchInterval_ms = 5000

/** The clients of an environment. The address names the one whose values are shown, so that a link can lead to it. */
export function OpenIdClients() {
  const texts = useTexts()
  const text = texts.openid_clients
  const environment = useEnvironment()
  const canManage = usePermission('manage_keys')
  const clients = useQuery({
    ...operationQuery('listOpenIdClients', { params: { environment } }),
    // No event announces that a site's request was refused.
    refetchInterval: refetchInterval_ms,
  })
  const navigate = useNavigate({ from: '/$environment/openid-clients' })
  const { client: shownId } = useSearch({ from: '/shell/$environment/openid-clients' })
  const shown = clients.data?.data.find(({ id }) => id === shownId)
  const [creating, setCreating] = useState(false)
  const [action, setAction] = useState<ClientAction>()
  const [created, setCreated] = useState<CreatedOpenIdClient>()
  const close = () => (setAction(undefined), setCreating(false))
  const act = (chosen: ClientAction) =>
    chosen.kind === 'values' ? void navigate({ search: { client: chosen.target.id } }) : setAction(chosen)
  const show = (result: CreatedOpenIdClient) => (close(), setCreated(result))
  const rows = clients.data?.data
  return (
    <ListPage
      text={text}
      environment={environment}
      query={clients}
      rows={rows}
      onCreate={canManage ? () => setCreating(true) : undefined}
      purpose={<p>{text.empty.what}</p>}
      note={<NotLogin />}
      list={
        <Table<OpenIdClient>
          caption={text.captions[environment]}
          rows={rows ?? []}
          rowKey={({ id }) => id}
          columns={clientColumns({ canManage, act, texts })}
        />
      }
    >
      {creating && <ClientForm client={undefined} onClose={close} onCreated={show} />}
      {action?.kind === 'edit' && <ClientForm client={action.target} onClose={close} onCreated={show} />}
      {action?.kind === 'roll' && <RollClientSecret client={action.target} onClose={close} onRolled={show} />}
      {action?.kind === 'delete' && <DeleteClient client={action.target} onClose={close} />}
      {shown !== undefined && (
        <ClientValues shown={{ client: shown }} onClose={() => void navigate({ search: {} })} />
      )}
      {created !== undefined && <ClientValues shown={created} onClose={() => setCreated(undefined)} />}
    </ListPage>
  )
}
