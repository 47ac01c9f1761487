import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { AlertChoices } from '../alerts/alert-choices.tsx'
import { call } from '../api/call.ts'
import { createPasskey } from '../api/passkey.ts'
import { useOperationMutation } from '../api/queries.ts'
import { useMe } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { TextField } from '../ui/field.tsx'
import { Card, Page } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'
import { PasskeyCard } from './passkey-card.tsx'
import { SessionList } from './session-list.tsx'

/** The signed-in member's own settings: name, passkeys and sessions. */
export function Account() {
  const { account } = useTexts()
  const { member } = useMe()
  return (
    <Page title={account.title} description={member.email}>
      <div className="grid gap-6">
        <NameForm />
        <PasskeyList />
        <AlertChoices />
        <SessionList />
        <ReturnLinkList />
      </div>
    </Page>
  )
}

/** The person who creates a sign-in link could use it, so the member it is for can see it here. */
function ReturnLinkList() {
  const { account, common } = useTexts()
  const text = account.links
  const { return_links } = useMe()
  if (return_links.length === 0) return null
  return (
    <Card title={text.title} description={text.description}>
      <Table
        caption={text.title}
        rows={return_links}
        rowKey={({ id }) => id}
        columns={[
          { title: common.created, rowHeader: true, cell: ({ made_at }) => <Time at={made_at} /> },
          {
            title: text.created_by,
            cell: ({ made_by }) => (made_by === 'operator' ? account.operator : made_by),
          },
          {
            title: text.used,
            cell: ({ used_at }) => (used_at === undefined ? text.not_used : <Time at={used_at} />),
          },
        ]}
      />
    </Card>
  )
}

function NameForm() {
  const { account, common } = useTexts()
  const text = account.name
  const { member } = useMe()
  const [name, setName] = useState(member.name)
  const change = useOperationMutation('changeMe', ['getMe', 'listTeam'])
  const showToast = useToast()
  const trimmedName = name.trim()
  return (
    <Card title={text.title} description={text.description}>
      <form
        noValidate
        className="grid max-w-sm gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (trimmedName !== '')
            change.mutate({ json: { name: trimmedName } }, { onSuccess: () => showToast(text.saved) })
        }}
      >
        <TextField
          label={common.name}
          maxLength={80}
          value={name}
          onChange={({ target }) => setName(target.value)}
          error={trimmedName === '' ? text.missing : undefined}
        />
        {change.error !== null && <ErrorMessage error={change.error} inline />}
        <div>
          <Button type="submit" busy={change.isPending} disabled={trimmedName === member.name}>
            {text.save}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function PasskeyList() {
  const { passkeys: text } = useTexts()
  const { passkeys } = useMe()
  const client = useQueryClient()
  return (
    <PasskeyCard
      passkeys={passkeys}
      add={async (name) => {
        const { options } = await call('startPasskey', {})
        await call('addPasskey', { json: { name, response: await createPasskey(options) } })
        await client.invalidateQueries({ queryKey: ['getMe'] })
      }}
      remove={({ id, name }, onClose) => (
        <ChangeDialog
          op="removePasskey"
          input={{ params: { id } }}
          invalidates={['getMe']}
          successMessage={text.removed}
          title={fillIn(text.remove_title, { name })}
          description={text.remove_description}
          submit={text.remove_submit}
          variant="danger"
          onClose={onClose}
        />
      )}
    />
  )
}
