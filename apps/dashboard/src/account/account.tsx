import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import type { Passkey } from '@vidimus/contract'
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
import { Time } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'

/** What a member does about itself: its name, its ways in, its sessions. */
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
                    <Time at={signed_in_at} /> {current && <Badge>this one</Badge>}
                  </span>
                ),
              },
              {
                title: 'With',
                cell: ({ way }) => (way === undefined ? 'not recorded' : signInMethodLabels[way]),
              },
              {
                title: 'Last seen',
                cell: ({ last_seen_at }) => <Time at={last_seen_at} form="relative" />,
              },
            ]}
          />
          <p className="mt-3 text-sm text-soft">
            This one ends at <Time at={session.expires_at} /> at the latest.
          </p>
        </Card>
        <ReturnLinkList />
      </div>
      <FormDialog
        open={confirmingSignOut}
        onClose={() => setConfirmingSignOut(false)}
        title="Sign out everywhere?"
        description="Every session of yours ends, on every device, this one included."
        submit="Sign out everywhere"
        variant="danger"
        busy={signOut.isPending}
        error={signOut.error}
        onSubmit={() => signOut.mutate({}, { onSuccess: () => location.assign('/dashboard/sign-in') })}
      />
    </Page>
  )
}

const signInMethodLabels = { passkey: 'a passkey', oidc: 'your provider', link: 'a link' }

/** Whoever makes such a link could use it, so the person it is for is told. */
function ReturnLinkList() {
  const { return_links } = useMe()
  if (return_links.length === 0) return null
  return (
    <Card
      title="Sign-in links made for you"
      description="If you did not ask for one, or one was used and not by you, remove the passkeys you do not know and tell an owner."
    >
      <Table
        caption="Sign-in links made for you"
        rows={return_links}
        rowKey={({ id }) => id}
        columns={[
          { title: 'Made', rowHeader: true, cell: ({ made_at }) => <Time at={made_at} /> },
          { title: 'By', cell: ({ made_by }) => (made_by === 'operator' ? 'the operator' : made_by) },
          { title: 'Used', cell: ({ used_at }) => (used_at === undefined ? 'no' : <Time at={used_at} />) },
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
    <Card title="Name" description="Your team and the audit log show it.">
      <form
        noValidate
        className="grid max-w-sm gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (trimmedName !== '')
            change.mutate(
              { json: { name: trimmedName } },
              { onSuccess: () => showToast('Your name is changed.') },
            )
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
      showToast('The passkey is added.')
    },
  })
  return (
    <Card
      title="Passkeys"
      description="Add one for each device you work on. With two, losing one locks you out of nothing."
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
              title: 'Kept',
              cell: ({ backed_up }) => (backed_up ? 'synced by its provider' : 'on one device'),
            },
            { title: 'Added', cell: ({ created_at }) => <Time at={created_at} form="day" /> },
            {
              title: 'Last used',
              cell: ({ last_used_at }) =>
                last_used_at === undefined ? 'never' : <Time at={last_used_at} form="relative" />,
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
          successMessage="The passkey is removed."
          title={`Remove “${removing.name}”?`}
          description="You can no longer sign in with it. Sessions that it began go on; sign out everywhere to end them."
          submit="Remove passkey"
          variant="danger"
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Card>
  )
}

/** A name to know the passkey by, from what the browser says of its machine. */
function guessDeviceName(): string {
  const systems = ['iPhone', 'iPad', 'Android', 'Macintosh', 'Windows', 'Linux']
  return systems.find((system) => navigator.userAgent.includes(system)) ?? 'This device'
}
