import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import type { Me, Passkey } from '@vidimus/contract'
import { call } from '../api/call.ts'
import { createPasskey } from '../api/passkey.ts'
import { useOperationMutation } from '../api/queries.ts'
import { useMe } from '../shell/shell-context.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { FormDialog } from '../ui/dialog.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { TextField } from '../ui/field.tsx'
import { Card, Page } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import { LastTime, Time } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'

type SignInMethod = NonNullable<Me['sessions'][number]['way']>

/** The signed-in member's own settings: name, passkeys and sessions. */
export function Account() {
  const { member, session, sessions } = useMe()
  const [confirmingSignOut, setConfirmingSignOut] = useState(false)
  const signOut = useOperationMutation('signOutEverywhere')
  return (
    <Page title="Your account" description={member.email}>
      <div className="grid gap-6">
        <NameForm />
        <PasskeyList />
        <Card
          title="Sessions"
          description="Where you are signed in."
          actions={<Button onClick={() => setConfirmingSignOut(true)}>Sign out everywhere</Button>}
        >
          <Table
            caption="Your sessions"
            rows={sessions}
            rowKey={({ signed_in_at }) => signed_in_at}
            columns={[
              {
                title: 'Signed in',
                rowHeader: true,
                cell: ({ signed_in_at, current }) => (
                  <span>
                    <Time at={signed_in_at} /> {current && <Badge>This session</Badge>}
                  </span>
                ),
              },
              {
                title: 'Method',
                cell: ({ way }) => (way === undefined ? 'Unknown' : signInMethodLabels[way]),
              },
              {
                title: 'Last seen',
                cell: ({ last_seen_at }) => <Time at={last_seen_at} form="relative" />,
              },
            ]}
          />
          <p className="mt-3 text-sm text-soft">
            This session expires by <Time at={session.expires_at} />.
          </p>
        </Card>
        <ReturnLinkList />
      </div>
      <FormDialog
        open={confirmingSignOut}
        onClose={() => setConfirmingSignOut(false)}
        title="Sign out everywhere?"
        description="Ends all your sessions on every device, including this one."
        submit="Sign out everywhere"
        variant="danger"
        busy={signOut.isPending}
        error={signOut.error}
        onSubmit={() => signOut.mutate({}, { onSuccess: () => location.assign('/dashboard/sign-in') })}
      />
    </Page>
  )
}

const signInMethodLabels: Record<SignInMethod, string> = {
  passkey: 'Passkey',
  oidc: 'Identity provider',
  link: 'Sign-in link',
}

/** The person who creates a sign-in link could use it, so the member it is for can see it here. */
function ReturnLinkList() {
  const { return_links } = useMe()
  if (return_links.length === 0) return null
  return (
    <Card
      title="Sign-in links created for you"
      description="If you did not ask for a link, or someone else used it, remove any passkeys you do not recognise and tell an owner."
    >
      <Table
        caption="Sign-in links created for you"
        rows={return_links}
        rowKey={({ id }) => id}
        columns={[
          { title: 'Created', rowHeader: true, cell: ({ made_at }) => <Time at={made_at} /> },
          { title: 'Created by', cell: ({ made_by }) => (made_by === 'operator' ? 'Operator' : made_by) },
          {
            title: 'Used',
            cell: ({ used_at }) => (used_at === undefined ? 'Not used' : <Time at={used_at} />),
          },
        ]}
      />
    </Card>
  )
}

function NameForm() {
  const { member } = useMe()
  const [name, setName] = useState(member.name)
  const change = useOperationMutation('changeMe', ['getMe', 'listTeam'])
  const showToast = useToast()
  const trimmedName = name.trim()
  return (
    <Card title="Name" description="Shown to your team and in the audit log.">
      <form
        noValidate
        className="grid max-w-sm gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (trimmedName !== '')
            change.mutate({ json: { name: trimmedName } }, { onSuccess: () => showToast('Name saved.') })
        }}
      >
        <TextField
          label="Name"
          maxLength={80}
          value={name}
          onChange={({ target }) => setName(target.value)}
          error={trimmedName === '' ? 'Enter a name.' : undefined}
        />
        {change.error !== null && <ErrorMessage error={change.error} inline />}
        <div>
          <Button type="submit" busy={change.isPending} disabled={trimmedName === member.name}>
            Save name
          </Button>
        </div>
      </form>
    </Card>
  )
}

function PasskeyList() {
  const { passkeys } = useMe()
  const client = useQueryClient()
  const showToast = useToast()
  const [removing, setRemoving] = useState<Passkey>()
  const add = useMutation({
    mutationFn: async () => {
      const { options } = await call('startPasskey', {})
      return call('addPasskey', { json: { name: guessDeviceName(), response: await createPasskey(options) } })
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['getMe'] })
      showToast('Passkey added.')
    },
  })
  return (
    <Card
      title="Passkeys"
      description="Add one for each device you use. With two, you can still sign in if you lose one."
      actions={
        <Button
          icon={<Fingerprint className="size-4" aria-hidden />}
          busy={add.isPending}
          onClick={() => add.mutate()}
        >
          Add passkey
        </Button>
      }
    >
      <div className="grid gap-4">
        {add.error !== null && <ErrorMessage error={add.error} inline />}
        <Table
          caption="Your passkeys"
          rows={passkeys}
          rowKey={({ id }) => id}
          columns={[
            {
              title: 'Name',
              rowHeader: true,
              cell: ({ name }) => <span className="font-medium">{name}</span>,
            },
            {
              title: 'Stored',
              cell: ({ backed_up }) => (backed_up ? 'Synced by its provider' : 'On one device'),
            },
            { title: 'Added', cell: ({ created_at }) => <Time at={created_at} form="day" /> },
            {
              title: 'Last used',
              cell: ({ last_used_at }) => <LastTime at={last_used_at} />,
            },
            {
              title: '',
              end: true,
              cell: (passkey) => (
                <Button
                  size="small"
                  onClick={() => setRemoving(passkey)}
                  aria-label={`Remove ${passkey.name}`}
                >
                  Remove
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
          successMessage="Passkey removed."
          title={`Remove “${removing.name}”?`}
          description="You can no longer sign in with it. Sessions it started stay open; sign out everywhere to end them."
          submit="Remove passkey"
          variant="danger"
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Card>
  )
}

/** A default name for a new passkey, guessed from the user agent. */
function guessDeviceName(): string {
  const systems = ['iPhone', 'iPad', 'Android', 'Macintosh', 'Windows', 'Linux']
  return systems.find((system) => navigator.userAgent.includes(system)) ?? 'This device'
}
