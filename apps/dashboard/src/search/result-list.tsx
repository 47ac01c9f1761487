import { classes } from '../ui/classes.ts'

/** What was found, with a title and what distinguishes it. */
export type FoundItem = { key: string; label: string; detail: string }

export type FoundGroup<Item extends FoundItem = FoundItem> = { name: string; title: string; items: Item[] }

type ResultListProps<Item extends FoundItem> = {
  id: string
  label: string
  groups: readonly FoundGroup<Item>[]
  active: Item | undefined
  optionId: (item: Item) => string
  onChoose: (item: Item) => void
}

/** The list of a combobox: the focus stays in its input, so the options have no keyboard handling of their own. */
export function ResultList<Item extends FoundItem>({
  id,
  label,
  groups,
  active,
  optionId,
  onChoose,
}: ResultListProps<Item>) {
  return (
    <div id={id} role="listbox" aria-label={label} className="grid gap-3">
      {groups.map(({ name, title, items }) => (
        <div key={name} role="group" aria-labelledby={`${id}-${name}`}>
          <p id={`${id}-${name}`} className="mb-1 text-xs font-semibold text-soft">
            {title}
          </p>
          {items.map((item) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- see above
            <div
              key={item.key}
              id={optionId(item)}
              role="option"
              aria-selected={item === active}
              onClick={() => onChoose(item)}
              className={classes(
                'grid cursor-pointer gap-0.5 rounded-md px-3 py-2 text-sm hover:bg-sunken',
                item === active && 'bg-sunken outline outline-edge',
              )}
            >
              <span className="font-medium break-all">{item.label}</span>
              <span className="text-xs break-words text-soft">{item.detail}</span>
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
