import type { TillSettings } from '@vidimus/sdk'

/** The merchant's logo, or the first letter of its name. */
export function Logo({ merchant }: { merchant: TillSettings['merchant'] }) {
  const { name, logo } = merchant
  return (
    <span className={logo === undefined ? 'logo' : 'logo image'} aria-hidden="true">
      {logo === undefined ? (
        /^./u.exec(name)?.[0].toLocaleUpperCase()
      ) : (
        <img src={logo} alt="" draggable={false} />
      )}
    </span>
  )
}
