import type { RegisteredUse } from '@vidimus/contract'
import { useTexts } from '../texts/texts-context.ts'

/** The documents and claims that a registration covers. */
export function Coverage({ credentials }: Pick<RegisteredUse, 'credentials'>) {
  const text = useTexts().registrations.detail
  if (credentials.length === 0) return <p className="text-sm text-soft">{text.covers_nothing}</p>
  return (
    <ul className="grid gap-4 text-sm">
      {credentials.map(({ format, types, claims }, index) => (
        <li key={index} className="grid gap-1.5">
          <span>
            <code className="font-medium break-all">
              {types.length === 0 ? text.any_type : types.join(', ')}
            </code>{' '}
            <span className="whitespace-nowrap text-soft">{format}</span>
          </span>
          {claims === undefined ? (
            <span className="text-soft">{text.all_claims}</span>
          ) : (
            <ul className="flex flex-wrap gap-1.5">
              {claims.map((path, position) => (
                <li key={position}>
                  <code className="inline-block rounded-sm bg-sunken px-1.5 py-0.5 text-xs break-all">
                    {writePath(path)}
                  </code>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )
}

/** A claims path on one line. Null selects every element of an array (OpenID4VP 1.0 §7). */
export function writePath(path: readonly (string | number | null)[]): string {
  return path.map((component) => component ?? '*').join('.')
}
