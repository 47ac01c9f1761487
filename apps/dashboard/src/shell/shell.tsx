import { useEffect, useMemo, useRef, useState } from 'react'
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router'
import { Menu as MenuIcon } from 'lucide-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useLiveUpdates } from '../api/live-updates.ts'
import { operationQuery } from '../api/queries.ts'
import { SearchButton } from '../search/search-button.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { AccountMenu } from './account-menu.tsx'
import { ConfirmPresence } from './confirm-presence.tsx'
import { EnvironmentSwitch } from './environment-switch.tsx'
import { lastEnvironment, rememberEnvironment } from './environments.ts'
import { ShellContext } from './shell-context.ts'
import { Navigation } from './navigation.tsx'
import { ReturnLinkNotice } from './return-link-notice.tsx'
import { SuspensionNotice } from './suspension-notice.tsx'
import { rememberTenant, watchTenant } from './tenants.ts'
import { Wordmark } from './wordmark.tsx'

/** The layout around every page of a signed-in member. */
export function Shell() {
  const text = useTexts().shell
  const { environment = lastEnvironment() } = useParams({ strict: false })
  const { data: me } = useSuspenseQuery(operationQuery('getMe', {}))
  const context = useMemo(() => ({ me, environment }), [me, environment])
  const page = useLocation({ select: ({ pathname }) => pageInBoth(pathname) })
  const [open, setOpen] = useState(false)
  useLiveUpdates(environment)
  useEffect(() => rememberEnvironment(environment), [environment])
  useEffect(() => {
    rememberTenant(me)
    return watchTenant(me, () => location.assign('/dashboard/'))
  }, [me])
  useFocusOnNavigation()
  const homeLink = (
    <Link to="/$environment" params={{ environment }} aria-label={text.home} className="rounded-sm">
      <Wordmark />
    </Link>
  )
  return (
    <ShellContext value={context}>
      <a
        href="#main"
        className="fixed top-2 left-2 z-60 -translate-y-20 rounded-md bg-ink px-4 py-2 text-sm font-medium text-canvas focus:translate-y-0"
      >
        {text.skip}
      </a>
      <div className={environment === 'test' ? '[--ribbon:2rem]' : '[--ribbon:0rem]'}>
        {environment === 'test' && <TestRibbon />}
        <div className="mx-auto flex max-w-[90rem] max-lg:flex-col">
          <header className="sticky top-(--ribbon) z-30 flex h-14 items-center gap-3 border-b border-line bg-canvas/95 px-4 backdrop-blur lg:hidden">
            <IconButton label={text.open_menu} onClick={() => setOpen(true)} className="-ml-1.5 size-10">
              <MenuIcon className="size-5" />
            </IconButton>
            {homeLink}
            <div className="ml-auto">
              <SearchButton small />
            </div>
            <div className="w-32">
              <EnvironmentSwitch page={page} />
            </div>
          </header>
          <aside className="sticky top-(--ribbon) flex h-[calc(100dvh-var(--ribbon))] w-60 shrink-0 flex-col gap-2 px-4 pt-3 *:shrink-0 max-lg:hidden">
            <div className="px-2">{homeLink}</div>
            <EnvironmentSwitch page={page} />
            <SearchButton />
            {/* Only the pages scroll, so that the account stays in view. The padding keeps focus rings whole. */}
            <div className="-mx-1.5 min-h-0 flex-1 scroll-py-2 overflow-y-auto p-1.5 [scrollbar-width:thin]">
              <Navigation environment={environment} />
            </div>
            <div className="border-t border-line py-1.5">
              <AccountMenu />
            </div>
          </aside>
          <main
            id="main"
            tabIndex={-1}
            className="min-h-[calc(100dvh-var(--ribbon))] min-w-0 flex-1 border-line px-4 pt-7 pb-20 outline-none sm:px-8 lg:border-l lg:px-12 lg:pt-10"
          >
            <div className="mx-auto max-w-5xl">
              <SuspensionNotice />
              <ReturnLinkNotice />
              <Outlet />
            </div>
          </main>
        </div>
      </div>
      <Dialog open={open} onClose={() => setOpen(false)} title={text.menu}>
        <Navigation environment={environment} onNavigate={() => setOpen(false)} />
        <AccountMenu />
      </Dialog>
      <ConfirmPresence />
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

/** Moves the focus to the new page after navigation, so that a screen reader starts at its top. */
function useFocusOnNavigation(): void {
  const pathname = useLocation({ select: (location) => location.pathname })
  const previousPathname = useRef(pathname)
  useEffect(() => {
    if (previousPathname.current !== pathname)
      document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true })
    previousPathname.current = pathname
  }, [pathname])
}
