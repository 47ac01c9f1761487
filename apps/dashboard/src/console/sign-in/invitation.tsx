import { useMutation, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Building2, Fingerprint } from 'lucide-react'
import type { OperatorInvitation } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { createPasskey } from '../../api/passkey.ts'
import { SignInLayout } from '../../sign-in/sign-in-layout.tsx'
import { Sentence } from '../../texts/sentence.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { call, useOperationQuery } from '../api.ts'
import { useConsoleTexts } from '../texts/console-texts.ts'

/** The token is in the fragment, which browsers never send to a server. */
export function AcceptInvitation() {
  const { sign_in, shell } = useConsoleTexts()
  const text = sign_in.invitation
  const token = useLocation({ select: ({ hash }) => hash })
  const invitation = useQuery({
    queryKey: ['readInvitation', token],
    queryFn: () => call('readInvitation', { json: { token } }),
    staleTime: Infinity,
    retry: false,
  })
  if (invitation.error !== null) {
    return (
      <SignInLayout app={shell.app} title={text.invalid_title} description={text.invalid_text}>
        <ErrorMessage error={invitation.error} inline />
      </SignInLayout>
    )
  }
  if (invitation.data === undefined) {
    return (
      <SignInLayout app={shell.app} title={text.title} description={<Skeleton className="h-5 w-72" />}>
        <Skeleton className="h-12 w-full" />
      </SignInLayout>
    )
  }
  return <AcceptForm key={token} token={token} invitation={invitation.data} />
}

function AcceptForm({ token, invitation }: { token: string; invitation: OperatorInvitation }) {
  const { sign_in, shell } = useConsoleTexts()
  const text = sign_in.invitation
  const { name, email, role, expires_at } = invitation
  const methods = useOperationQuery('getSignIn', {})
  const withProvider = useMutation({
    mutationFn: () => call('acceptWithOidc', { json: { token } }),
    onSuccess: ({ location: provider }) => location.assign(provider),
  })
  const accept = useMutation({
    mutationFn: async () => {
      const { options } = await call('startInvitation', { json: { token } })
      await call('acceptInvitation', { json: { token, response: await createPasskey(options) } })
    },
    onSuccess: () => location.assign('/console/'),
  })
  const error = accept.error ?? withProvider.error
  return (
    <SignInLayout
      app={shell.app}
      title={fillIn(text.welcome, { name })}
      description={
        <Sentence
          text={text.invited}
          values={{
            email: <strong className="font-semibold text-ink">{email}</strong>,
            role: shell.roles[role],
            at: <Time at={expires_at} />,
          }}
        />
      }
    >
      <div className="grid gap-3">
        <Button
          variant="primary"
          size="large"
          icon={<Fingerprint className="size-5" aria-hidden />}
          busy={accept.isPending || accept.isSuccess}
          onClick={() => accept.mutate()}
        >
          {text.create_passkey}
        </Button>
        {methods.data?.oidc === true && (
          <Button
            size="large"
            icon={<Building2 className="size-5" aria-hidden />}
            busy={withProvider.isPending || withProvider.isSuccess}
            onClick={() => withProvider.mutate()}
          >
            {fillIn(text.continue_with, { provider: methods.data.oidc_host ?? '' })}
          </Button>
        )}
      </div>
      {error !== null && <ErrorMessage error={error} inline />}
    </SignInLayout>
  )
}
