import { Link } from '@tanstack/react-router'
import { useTexts } from '../texts/texts-context.ts'
import { classes } from '../ui/classes.ts'
import { environments, type Environment } from './environments.ts'

/** The selected half is filled in both themes: test in the colour of its ribbon, live in ink. */
const selectedClasses: Record<Environment, string> = {
  test: 'aria-[current=page]:border-wait aria-[current=page]:bg-wait-tint aria-[current=page]:text-wait',
  live: 'aria-[current=page]:border-ink aria-[current=page]:bg-ink aria-[current=page]:text-canvas',
}

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
          className={classes(
            'group flex items-center justify-center gap-1.5 rounded-[6px] border border-transparent px-2 py-0.5 text-soft hover:text-ink aria-[current=page]:font-bold',
            selectedClasses[name],
          )}
        >
          <span
            aria-hidden
            className="size-2 shrink-0 rounded-full border-[1.5px] border-current group-aria-[current=page]:bg-current"
          />
          {common.environments[name]}
        </Link>
      ))}
    </nav>
  )
}
