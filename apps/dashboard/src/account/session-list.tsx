import { useState } from 'react'
import type { Me } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationMutation } from '../api/queries.ts'
import { useMe } from '../shell/shell-context.ts'
import { forgetTenant } from '../shell/tenants.ts'
import { Sentence } from '../texts/sentence.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { FormDialog } from '../ui/dialog.tsx'
import { Card } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'

type Session = Me['sessions'][number]

/** Where the member is signed in. Each session but this one can be ended by itself; for this one there is the menu. */
export function SessionList() {
  const text = useTexts().account.sessions
  const { session, sessions } = useMe()
  const [ending, setEnding] = useState<Session>()
  const [confirmingSignOut, setConfirmingSignOut] = useState(false)
  return (
    <Card
      title={text.title}
      description={text.description}
      actions={<Button onClick={() => setConfirmingSignOut(true)}>{text.sign_out}</Button>}
    >
      <Table
        caption={text.caption}
        rows={sessions}
        rowKey={({ id }) => id}
        columns={[
          {
            title: text.browser,
            rowHeader: true,
            cell: ({ browser = text.unknown, current }) => (
              <span>
                {browser} {current && <Badge>{text.this_session}</Badge>}
              </span>
            ),
          },
          { title: text.signed_in, cell: ({ signed_in_at }) => <Time at={signed_in_at} /> },
          {
            title: text.method,
            cell: ({ method }) => (method === undefined ? text.unknown : text.methods[method]),
          },
          {
            title: text.last_seen,
            cell: ({ last_seen_at }) => <Time at={last_seen_at} form="relative" />,
          },
          {
            title: '',
            end: true,
            cell: (row) =>
              !row.current && (
                <Button
                  size="small"
                  onClick={() => setEnding(row)}
                  aria-label={fillIn(text.end_label, { browser: row.browser ?? text.unknown })}
                >
                  {text.end}
                </Button>
              ),
          },
        ]}
      />
      <p className="mt-3 text-sm text-soft">
        <Sentence text={text.expires} values={{ at: <Time at={session.expires_at} /> }} />
      </p>
      {ending !== undefined && (
        <ChangeDialog
          op="endSession"
          input={{ params: { id: ending.id } }}
          invalidates={['getMe']}
          successMessage={text.ended}
          title={text.end_title}
          description={text.end_description}
          submit={text.end_submit}
          variant="danger"
          onClose={() => setEnding(undefined)}
        />
      )}
      {confirmingSignOut && <SignOutEverywhere onClose={() => setConfirmingSignOut(false)} />}
    </Card>
  )
}

function SignOutEverywhere({ onClose }: { onClose: () => void }) {
  const text = useTexts().account.sessions
  const { cell } = useMe()
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
      onSubmit={() =>
        signOut.mutate(
          {},
          {
            onSuccess: () => {
              forgetTenant(cell)
              location.assign('/dashboard/sign-in')
            },
          },
        )
      }
    />
  )
}
