import { useEffect, useMemo } from 'react'
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router'
import { useSuspenseQuery } from '@tanstack/react-query'
import { confirmIdentity } from '../api/call.ts'
import { useLiveUpdates } from '../api/live-updates.ts'
import { operationQuery } from '../api/queries.ts'
import { Search } from '../search/search.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { AccountMenu } from './account-menu.tsx'
import { ConfirmPresence } from './confirm-presence.tsx'
import { EnvironmentSwitch } from './environment-switch.tsx'
import { lastEnvironment, rememberEnvironment } from './environments.ts'
import { Frame } from './frame.tsx'
import { ShellContext } from './shell-context.ts'
import { Navigation } from './navigation.tsx'
import { ReturnLinkNotice } from './return-link-notice.tsx'
import { SuspensionNotice } from './suspension-notice.tsx'
import { SupportNotice } from './support-notice.tsx'
import { rememberTenant, watchTenant } from './tenants.ts'
import { Wordmark } from './wordmark.tsx'

/** The layout around every page of a signed-in member. */
export function Shell() {
  const { shell: text, frame } = useTexts()
  const { environment = lastEnvironment() } = useParams({ strict: false })
  const { data: me } = useSuspenseQuery(operationQuery('getMe', {}))
  const context = useMemo(() => ({ me, environment }), [me, environment])
  const page = useLocation({ select: ({ pathname }) => pageInBoth(pathname) })
  useLiveUpdates(environment)
  useEffect(() => rememberEnvironment(environment), [environment])
  useEffect(() => {
    rememberTenant(me)
    return watchTenant(me, () => location.assign('/dashboard/'))
  }, [me])
  const hasPasskey = me.passkeys.length > 0
  return (
    <ShellContext value={context}>
      <Frame
        {...(environment === 'test' && { ribbon: <TestRibbon /> })}
        home={
          <Link to="/$environment" params={{ environment }} aria-label={text.home} className="rounded-sm">
            <Wordmark />
          </Link>
        }
        search={(small) => <Search small={small} />}
        choice={<EnvironmentSwitch page={page} />}
        navigation={(onNavigate) => (
          <Navigation environment={environment} {...(onNavigate !== undefined && { onNavigate })} />
        )}
        account={<AccountMenu />}
      >
        <SuspensionNotice />
        <SupportNotice />
        <ReturnLinkNotice />
        <Outlet />
      </Frame>
      <ConfirmPresence
        description={hasPasskey ? frame.confirmation.with_passkey : frame.confirmation.at_provider}
        submit={hasPasskey ? frame.confirmation.use_passkey : frame.confirmation.sign_in}
        confirm={confirmIdentity}
      />
    </ShellContext>
  )
}

/** The page that the other environment has too: the list of a detail page, but the same section of the settings. */
function pageInBoth(pathname: string): string {
  const [, , page = '', section] = pathname.split('/')
  return page === 'settings' && section !== undefined ? `${page}/${section}` : page
}

function TestRibbon() {
  const text = useTexts().shell
  return (
    <div
      role="region"
      aria-label={text.environment}
      className="hatched sticky top-0 z-30 flex h-8 items-center justify-center border-b border-wait/25 px-4 text-xs font-medium text-wait"
    >
      {text.test_data}
    </div>
  )
}
