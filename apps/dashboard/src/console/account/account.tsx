import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { PasskeyCard } from '../../account/passkey-card.tsx'
import { createPasskey } from '../../api/passkey.ts'
import { useFormats } from '../../texts/texts-context.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Card, Fact, Facts, Page } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { call, useOperationMutation } from '../api.ts'
import { ChangeDialog } from '../change-dialog.tsx'
import { useOperator } from '../shell/console-context.ts'
import { useConsoleTexts } from '../texts/console-texts.ts'

/** The signed-in operator's own passkeys and sessions. */
export function Account() {
  const { account: text, frame, shell } = useConsoleTexts()
  const { operator } = useOperator()
  return (
    <Page title={frame.account} description={`${operator.email}, ${shell.roles[operator.role]}`}>
      <div className="grid gap-6">
        <OwnPasskeys />
        <Sessions />
        <p className="text-sm text-soft">{text.name_note}</p>
      </div>
    </Page>
  )
}

function OwnPasskeys() {
  const { passkeys: text } = useConsoleTexts()
  const { passkeys } = useOperator()
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

function Sessions() {
  const text = useConsoleTexts().account.sessions
  const formats = useFormats()
  const { session } = useOperator()
  const [confirming, setConfirming] = useState(false)
  if (session === undefined) return null
  return (
    <Card
      title={text.title}
      description={text.description}
      actions={<Button onClick={() => setConfirming(true)}>{text.sign_out}</Button>}
    >
      <Facts>
        <Fact name={text.signed_in}>
          <Time at={session.signed_in_at} />
        </Fact>
        {session.method !== undefined && <Fact name={text.method}>{text.methods[session.method]}</Fact>}
        <Fact name={text.expires}>
          <Time at={session.expires_at} />
        </Fact>
        <Fact name={text.others}>{formats.count(text.other_count, session.others)}</Fact>
      </Facts>
      {confirming && <SignOutEverywhere onClose={() => setConfirming(false)} />}
    </Card>
  )
}

function SignOutEverywhere({ onClose }: { onClose: () => void }) {
  const text = useConsoleTexts().account.sessions
  const signOut = useOperationMutation('signOutEverywhere')
  return (
    <FormDialog
      open
      onClose={onClose}
      title={text.sign_out_title}
      description={text.sign_out_description}
      submit={text.sign_out}
      variant="danger"
      busy={signOut.isPending}
      error={signOut.error}
      onSubmit={() => signOut.mutate({}, { onSuccess: () => location.assign('/console/sign-in') })}
    />
  )
}
