import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import type { Passkey } from '@vidimus/contract'
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
import { LastTime, Time } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'
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
  const { account, common } = useTexts()
  const text = account.passkeys
  const { passkeys } = useMe()
  const client = useQueryClient()
  const showToast = useToast()
  const [removing, setRemoving] = useState<Passkey>()
  const add = useMutation({
    mutationFn: async () => {
      const { options } = await call('startPasskey', {})
      return call('addPasskey', {
        json: { name: guessDeviceName() ?? text.this_device, response: await createPasskey(options) },
      })
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['getMe'] })
      showToast(text.added)
    },
  })
  return (
    <Card
      title={text.title}
      description={text.description}
      actions={
        <Button
          icon={<Fingerprint className="size-4" aria-hidden />}
          busy={add.isPending}
          onClick={() => add.mutate()}
        >
          {text.add}
        </Button>
      }
    >
      <div className="grid gap-4">
        {add.error !== null && <ErrorMessage error={add.error} inline />}
        <Table
          caption={text.caption}
          rows={passkeys}
          rowKey={({ id }) => id}
          columns={[
            {
              title: common.name,
              rowHeader: true,
              cell: ({ name }) => <span className="font-medium">{name}</span>,
            },
            {
              title: text.stored,
              cell: ({ backed_up }) => (backed_up ? text.synced : text.on_one_device),
            },
            { title: text.added_on, cell: ({ created_at }) => <Time at={created_at} form="day" /> },
            {
              title: text.last_used,
              cell: ({ last_used_at }) => <LastTime at={last_used_at} />,
            },
            {
              title: '',
              end: true,
              cell: (passkey) => (
                <Button
                  size="small"
                  onClick={() => setRemoving(passkey)}
                  aria-label={fillIn(text.remove_label, { name: passkey.name })}
                >
                  {text.remove}
                </Button>
              ),
            },
          ]}
        />
      </div>
      {removing !== undefined && (
        <ChangeDialog
          op="removePasskey"
          input={{ params: { id: removing.id } }}
          invalidates={['getMe']}
          successMessage={text.removed}
          title={fillIn(text.remove_title, { name: removing.name })}
          description={text.remove_description}
          submit={text.remove_submit}
          variant="danger"
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Card>
  )
}

/** A default name for a new passkey, guessed from the user agent. */
function guessDeviceName(): string | undefined {
  const systems = ['iPhone', 'iPad', 'Android', 'Macintosh', 'Windows', 'Linux']
  return systems.find((system) => navigator.userAgent.includes(system))
}
