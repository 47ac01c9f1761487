import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useLocation } from '@tanstack/react-router'
import { Menu as MenuIcon } from 'lucide-react'
import { useSharedTexts } from '../texts/texts-context.ts'
import { IconButton } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { Dialog } from '../ui/dialog.tsx'

type FrameProps = {
  /** A bar above everything, 2 rem high. */
  ribbon?: ReactNode
  home: ReactNode
  /** The search, in the sidebar and as a small button above a phone's page. */
  search: (small: boolean) => ReactNode
  /** Between the logo and the search; on a phone at the end of the bar. */
  choice?: ReactNode
  /** The links to the pages. `onNavigate` closes the menu of a phone. */
  navigation: (onNavigate?: () => void) => ReactNode
  account: ReactNode
  /** Dark in both themes, so that nobody takes the operator's console for the dashboard. */
  ink?: boolean
  children: ReactNode
}

/** The layout around every page: a sidebar, on a phone a bar with a menu, and the page. */
export function Frame({
  ribbon,
  home,
  search,
  choice,
  navigation,
  account,
  ink = false,
  children,
}: FrameProps) {
  const text = useSharedTexts().frame
  const [open, setOpen] = useState(false)
  useFocusOnNavigation()
  return (
    <>
      <a
        href="#main"
        className="fixed top-2 left-2 z-60 -translate-y-20 rounded-md bg-ink px-4 py-2 text-sm font-medium text-canvas focus:translate-y-0"
      >
        {text.skip}
      </a>
      <div className={ribbon === undefined ? '[--ribbon:0rem]' : '[--ribbon:2rem]'}>
        {ribbon}
        <div className={classes('flex max-lg:flex-col', !ink && 'mx-auto max-w-[90rem]')}>
          <header
            className={classes(
              'sticky top-(--ribbon) z-30 flex print:hidden h-14 items-center gap-3 border-b border-line px-4 lg:hidden',
              ink ? 'ink-ground' : 'bg-canvas/95 backdrop-blur',
            )}
          >
            <IconButton label={text.open_menu} onClick={() => setOpen(true)} className="-ml-1.5 size-10">
              <MenuIcon className="size-5" />
            </IconButton>
            {home}
            <div className="ml-auto">{search(true)}</div>
            {choice !== undefined && <div className="w-32">{choice}</div>}
          </header>
          <aside
            className={classes(
              'sticky top-(--ribbon) flex print:hidden h-[calc(100dvh-var(--ribbon))] w-60 shrink-0 flex-col gap-2 px-4 pt-3 *:shrink-0 max-lg:hidden',
              ink && 'ink-ground',
            )}
          >
            <div className="px-2">{home}</div>
            {choice}
            {search(false)}
            {/* Only the pages scroll, so that the account stays in view. The padding keeps focus rings whole. */}
            <div className="-mx-1.5 min-h-0 flex-1 scroll-py-2 overflow-y-auto p-1.5 [scrollbar-width:thin]">
              {navigation()}
            </div>
            <div className="border-t border-line py-1.5">{account}</div>
          </aside>
          <main
            id="main"
            tabIndex={-1}
            className="min-h-[calc(100dvh-var(--ribbon))] min-w-0 flex-1 border-line px-4 pt-7 pb-20 outline-none sm:px-8 lg:border-l lg:px-12 lg:pt-10"
          >
            <div className={classes('mx-auto', ink ? 'max-w-[74rem]' : 'max-w-5xl')}>{children}</div>
          </main>
        </div>
      </div>
      <Dialog open={open} onClose={() => setOpen(false)} title={text.menu}>
        {navigation(() => setOpen(false))}
        {account}
      </Dialog>
    </>
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
