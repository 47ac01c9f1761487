import { useEffect, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { LocalError } from '../api/error.ts'
import { setConfirmationPrompt } from '../api/request-confirmation.ts'
import { useSharedTexts } from '../texts/texts-context.ts'
import { FormDialog } from '../ui/dialog.tsx'

type Waiting = { resolve: () => void; reject: (error: Error) => void }

type ConfirmPresenceProps = {
  /** What to use, and why. */
  description: string
  submit: string
  confirm: () => Promise<void>
}

/** Asks for a passkey, or for a sign-in at the provider, when the service requires a confirmation. The request is then repeated. */
export function ConfirmPresence({ description, submit, confirm: confirmIdentity }: ConfirmPresenceProps) {
  const text = useSharedTexts().frame.confirmation
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
      description={description}
      submit={submit}
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
