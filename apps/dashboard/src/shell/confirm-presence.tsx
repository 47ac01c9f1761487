import { useEffect, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { confirmIdentity } from '../api/call.ts'
import { LocalError } from '../api/error.ts'
import { setConfirmationPrompt } from '../api/request-confirmation.ts'
import { useTexts } from '../texts/texts-context.ts'
import { FormDialog } from '../ui/dialog.tsx'
import { useMe } from './shell-context.ts'

type Waiting = { resolve: () => void; reject: (error: Error) => void }

/** Asks for a passkey, or for a sign-in at the provider, when the service requires a confirmation. The request is then repeated. */
export function ConfirmPresence() {
  const text = useTexts().shell.confirmation
  const { passkeys } = useMe()
  const [waiting, setWaiting] = useState<Waiting>()
  const confirm = useMutation({ mutationFn: confirmIdentity })
  useEffect(
    () =>
      setConfirmationPrompt(() => new Promise<void>((resolve, reject) => setWaiting({ resolve, reject }))),
    [],
  )
  const close = () => {
    setWaiting(undefined)
    confirm.reset()
  }
  return (
    <FormDialog
      open={waiting !== undefined}
      persistent
      onClose={() => {
        waiting?.reject(new LocalError('not_confirmed'))
        close()
      }}
      title={text.title}
      description={passkeys.length > 0 ? text.with_passkey : text.at_provider}
      submit={passkeys.length > 0 ? text.use_passkey : text.sign_in}
      busy={confirm.isPending}
      error={confirm.error}
      onSubmit={() =>
        confirm.mutate(undefined, {
          onSuccess: () => {
            waiting?.resolve()
            close()
          },
        })
      }
    />
  )
}
