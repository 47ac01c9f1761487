import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { UserRound } from 'lucide-react'
import { ConfirmPresence } from '../../shell/confirm-presence.tsx'
import { Frame } from '../../shell/frame.tsx'
import { PersonMenu } from '../../shell/person-menu.tsx'
import { Wordmark } from '../../shell/wordmark.tsx'
import { MenuItem } from '../../ui/menu.tsx'
import { call, confirmIdentity, operationQuery } from '../api.ts'
import { ConsoleSearch } from '../search/console-search.tsx'
import { useConsoleTexts } from '../texts/console-texts.ts'
import { ConsoleContext, useOperator } from './console-context.ts'
import { ConsoleNavigation } from './console-navigation.tsx'

/** The layout around every page of a signed-in operator. */
export function ConsoleShell() {
  const { shell: text, frame } = useConsoleTexts()
  const { data: me } = useSuspenseQuery(operationQuery('getMe', {}))
  const hasPasskey = me.passkeys.length > 0
  return (
    <ConsoleContext value={me}>
      <Frame
        ink
        home={
          <Link to="/" aria-label={text.home} className="rounded-sm">
            <Wordmark app={text.app} />
          </Link>
        }
        search={(small) => <ConsoleSearch small={small} />}
        navigation={(onNavigate) => <ConsoleNavigation onNavigate={onNavigate} />}
        account={<OperatorMenu />}
      >
        <Outlet />
      </Frame>
      <ConfirmPresence
        description={hasPasskey ? text.confirmation : text.confirmation_at_provider}
        submit={hasPasskey ? frame.confirmation.use_passkey : frame.confirmation.sign_in}
        confirm={confirmIdentity}
      />
    </ConsoleContext>
  )
}

function OperatorMenu() {
  const { shell: text, frame } = useConsoleTexts()
  const { operator } = useOperator()
  const navigate = useNavigate()
  const signOut = useMutation({
    mutationFn: () => call('signOut', {}),
    onSuccess: () => location.assign('/console/sign-in'),
  })
  return (
    <PersonMenu name={operator.name} detail={text.roles[operator.role]} onSignOut={() => signOut.mutate()}>
      <MenuItem
        icon={<UserRound className="size-4" aria-hidden />}
        onSelect={() => void navigate({ to: '/account' })}
      >
        {frame.account}
      </MenuItem>
    </PersonMenu>
  )
}
