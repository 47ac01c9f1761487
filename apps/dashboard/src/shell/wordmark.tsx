/** The logo: a wax seal with the V of "vidimus" (Latin: we have seen). */
function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={className}>
      <path
        fill="currentColor"
        d="M16 1.2l3.2 2.3 3.9-.7 1.8 3.5 3.8 1.2.1 4 2.8 2.8-1.7 3.6.9 3.9-3.4 2.1-1 3.8-4 .3-2.7 2.9-3.7-1.4-3.7 1.4-2.7-2.9-4-.3-1-3.8L1.2 21.8l.9-3.9L.4 14.3l2.8-2.8.1-4 3.8-1.2 1.8-3.5 3.9.7z"
      />
      <path
        fill="none"
        className="stroke-canvas"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="M10.2 11.2L16 21.6l5.8-10.4"
      />
    </svg>
  )
}

/** With the name of the app beside it, unless it is the dashboard. */
export function Wordmark({ app }: { app?: string }) {
  return (
    <span className="flex items-center gap-2.5 text-ink">
      <LogoMark className="size-7 text-accent" />
      <span className="font-serif text-xl font-medium tracking-tight">Vidimus</span>{' '}
      {app !== undefined && (
        <span className="rounded-full border border-current px-2 py-px text-[0.6875rem] font-semibold tracking-wide">
          {app}
        </span>
      )}
    </span>
  )
}
