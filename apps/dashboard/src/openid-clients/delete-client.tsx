import { useState } from 'react'
import type { OpenIdClient } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { TextField } from '../ui/field.tsx'

/** Deletes a client once its name was typed: the site that uses it stops working at once. */
export function DeleteClient({ client, onClose }: { client: OpenIdClient; onClose: () => void }) {
  const text = useTexts().openid_clients.remove
  const environment = useEnvironment()
  const [typed, setTyped] = useState('')
  const { name } = client
  return (
    <ChangeDialog
      op="deleteOpenIdClient"
      input={{ params: { environment, id: client.id } }}
      invalidates={['listOpenIdClients']}
      successMessage={fillIn(text.done, { name })}
      title={fillIn(text.title, { name })}
      description={text.description}
      submit={text.submit}
      variant="danger"
      disabled={typed.trim() !== name}
      onClose={onClose}
    >
      <TextField
        label={fillIn(text.type_name, { name })}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </ChangeDialog>
  )
}
