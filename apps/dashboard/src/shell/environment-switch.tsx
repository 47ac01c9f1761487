import { Link } from '@tanstack/react-router'
import { useTexts } from '../texts/texts-context.ts'
import { environments } from './environments.ts'

/** Links to the same page in the other environment. A detail page exists in one only, so it links to its list. */
export function EnvironmentSwitch({ page }: { page: string }) {
  const { shell: text, common } = useTexts()
  return (
    <nav
      aria-label={text.environment}
      className="grid grid-cols-2 rounded-md border border-line bg-sunken p-0.5 text-sm font-medium"
    >
      {environments.map((name) => (
        <Link
          key={name}
          to={`/$environment/${page}` as '/$environment'}
          params={{ environment: name }}
          className="rounded-[6px] px-3 py-1 text-center text-soft hover:text-ink aria-[current=page]:bg-surface aria-[current=page]:text-ink aria-[current=page]:shadow-[0_1px_2px_var(--shadow)]"
        >
          {common.environments[name]}
        </Link>
      ))}
    </nav>
  )
}
