import { useState, type ReactNode } from 'react'
import { useMutation } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useSharedTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { Card } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import { LastTime, Time } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'

type Passkey = {
  id: string
  name: string
  created_at: string
  last_used_at?: string | undefined
  backed_up: boolean
}

type PasskeyCardProps = {
  passkeys: readonly Passkey[]
  /** Creates one with the browser. */
  add: (name: string) => Promise<void>
  /** The dialog that removes one. */
  remove: (passkey: Passkey, onClose: () => void) => ReactNode
}

/** The passkeys of the person who is signed in. */
export function PasskeyCard({ passkeys, add: addPasskey, remove }: PasskeyCardProps) {
  const { passkeys: text, common } = useSharedTexts()
  const showToast = useToast()
  const [removing, setRemoving] = useState<Passkey>()
  const add = useMutation({
    mutationFn: () => addPasskey(guessDeviceName() ?? text.this_device),
    onSuccess: () => showToast(text.added),
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
      {removing !== undefined && remove(removing, () => setRemoving(undefined))}
    </Card>
  )
}

/** A default name for a new passkey, guessed from the user agent. */
function guessDeviceName(): string | undefined {
  const systems = ['iPhone', 'iPad', 'Android', 'Macintosh', 'Windows', 'Linux']
  return systems.find((system) => navigator.userAgent.includes(system))
}
