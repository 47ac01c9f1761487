import { useState } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Building2, Fingerprint } from 'lucide-react'
import type { Invitation } from '@vidimus/contract'
import { call } from '../api/call.ts'
import { makePasskey } from '../api/passkey.ts'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/failure.tsx'
import { showFirstFault, TextField } from '../ui/field.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { Frame } from './frame.tsx'

/** The token stands behind the #, which browsers send to nobody. */
export function AcceptInvitation() {
  const token = useLocation({ select: ({ hash }) => hash })
  const invitation = useQuery({
    queryKey: ['readInvitation', token],
    queryFn: () => call('readInvitation', { json: { token } }),
    staleTime: Infinity,
    retry: false,
  })
  if (invitation.error !== null) {
    return (
      <Frame
        title="This link does not work"
        lead="A link works once and for a limited time. Ask whoever sent it for a new one."
      >
        <Failure error={invitation.error} inline />
      </Frame>
    )
  }
  if (invitation.data === undefined) {
    return (
      <Frame title="Invitation" lead={<Skeleton className="h-5 w-72" />}>
        <Skeleton className="h-12 w-full" />
      </Frame>
    )
  }
  return <Accept key={token} token={token} invitation={invitation.data} />
}

function Accept({ token, invitation }: { token: string; invitation: Invitation }) {
  const [name, setName] = useState('')
  const [asked, setAsked] = useState(false)
  const given = name.trim()
  const withPasskey = useMutation({
    mutationFn: async () => {
      const { options } = await call('startPasskeyOfInvitation', { json: { token, name: given } })
      await call('acceptWithPasskey', { json: { token, name: given, response: await makePasskey(options) } })
    },
    onSuccess: () => location.assign('/dashboard/'),
  })
  const withProvider = useMutation({
    mutationFn: () => call('acceptWithOidc', { json: { token, name: given } }),
    onSuccess: ({ location: there }) => location.assign(there),
  })
  const error = withPasskey.error ?? withProvider.error
  const go = (way: { mutate: () => void }) => {
    setAsked(true)
    showFirstFault(document.querySelector('main'))
    if (given !== '') way.mutate()
  }
  return (
    <Frame
      title={invitation.returning ? 'Welcome back' : `Join ${invitation.tenant_name}`}
      lead={
        <>
          {invitation.returning ? 'Add a way to sign in as ' : 'You were invited as '}
          <strong className="font-semibold text-ink">{invitation.email}</strong>, with the role of{' '}
          {invitation.role}. The link works until <Time at={invitation.expires_at} />.
        </>
      }
    >
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          go(withPasskey)
        }}
      >
        <TextField
          label="Your name"
          hint="Your team and the audit log show it."
          autoComplete="name"
          maxLength={80}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={asked && given === '' ? 'Enter your name.' : undefined}
        />
        <Button
          type="submit"
          look="primary"
          size="large"
          icon={<Fingerprint className="size-5" aria-hidden />}
          busy={withPasskey.isPending || withPasskey.isSuccess}
        >
          Create a passkey
        </Button>
        {invitation.ways.oidc && (
          <Button
            size="large"
            icon={<Building2 className="size-5" aria-hidden />}
            busy={withProvider.isPending || withProvider.isSuccess}
            onClick={() => go(withProvider)}
          >
            Continue with {invitation.ways.oidc_host ?? 'your organisation'}
          </Button>
        )}
      </form>
      {error !== null && <Failure error={error} inline />}
    </Frame>
  )
}
