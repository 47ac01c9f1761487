import { Fragment, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useFormats, useSharedTexts } from '../texts/texts-context.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { useDelayedText } from '../ui/use-delayed-text.ts'
import { ResultList, type FoundGroup, type FoundItem } from './result-list.tsx'

export const minSearch_characters = 2

type PaletteProps<Item extends FoundItem> = {
  text: { title: string; label: string; placeholder: string; hint: string }
  searched: string
  onSearch: (searched: string) => void
  results: { error: Error | null; isFetching: boolean }
  found: readonly FoundGroup<Item>[]
  onOpen: (item: Item) => void
  onClose: () => void
}

/** A search in a dialog: a combobox that the arrow keys move through. */
export function Palette<Item extends FoundItem>({
  text,
  searched,
  onSearch,
  results,
  found,
  onOpen,
  onClose,
}: PaletteProps<Item>) {
  const { palette } = useSharedTexts()
  const formats = useFormats()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [active, setActive] = useState(0)
  const field = useDelayedText(searched, (value) => {
    onSearch(value)
    setActive(0)
  })
  const enabled = searched.length >= minSearch_characters
  const items = found.flatMap((group) => group.items)
  const activeItem = items[Math.min(active, items.length - 1)]

  const open = (item: Item) => {
    onClose()
    onOpen(item)
  }
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const last = items.length - 1
    const moves: Record<string, number> = {
      ArrowDown: active >= last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
      PageDown: last,
      PageUp: 0,
    }
    const next = moves[event.key]
    if (next !== undefined && items.length > 0) {
      event.preventDefault()
      setActive(next)
      document.querySelector(`[id="${optionId(id, items[next])}"]`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && activeItem !== undefined) {
      event.preventDefault()
      open(activeItem)
    }
  }
  return (
    <Dialog open onClose={onClose} title={text.title} wide initialFocus={input}>
      <div className="grid gap-1.5">
        <label htmlFor={id} className="text-sm font-medium">
          {text.label}
        </label>
        <input
          ref={input}
          id={id}
          type="text"
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          maxLength={128}
          placeholder={text.placeholder}
          className="input"
          aria-expanded={items.length > 0}
          aria-controls={`${id}-results`}
          aria-autocomplete="list"
          aria-describedby={`${id}-hint`}
          {...(activeItem !== undefined && { 'aria-activedescendant': optionId(id, activeItem) })}
          {...field}
          onKeyDown={handleKey}
        />
        <p id={`${id}-hint`} className="text-sm text-soft">
          {text.hint}
        </p>
      </div>
      {!enabled && <Shortcuts />}
      {results.error !== null && enabled && <ErrorMessage error={results.error} inline />}
      <p role="status" className={items.length > 0 ? 'sr-only' : 'text-sm text-soft'}>
        {statusText()}
      </p>
      <ResultList
        id={`${id}-results`}
        label={text.title}
        groups={found}
        active={activeItem}
        optionId={(item) => optionId(id, item)}
        onChoose={open}
      />
    </Dialog>
  )

  function statusText(): string {
    if (!enabled || results.error !== null) return ''
    if (results.isFetching) return palette.searching
    return items.length === 0 ? palette.none : formats.count(palette.results, items.length)
  }
}

const isMac = navigator.platform.startsWith('Mac')

/** What the keyboard does, until something is searched. */
function Shortcuts() {
  const text = useSharedTexts().palette.shortcuts
  const shortcuts = [
    [isMac ? '⌘ K' : 'Ctrl K', text.search],
    ['↑ ↓ ← →', text.choose],
    ['↵', text.open],
    ['Esc', text.close],
  ] as const
  return (
    <section aria-label={text.title} className="grid gap-2 text-sm text-soft">
      <h3 className="text-xs font-semibold">{text.title}</h3>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
        {shortcuts.map(([keys, effect]) => (
          <Fragment key={keys}>
            <dt>
              <kbd className="rounded-sm border border-line px-1.5 py-0.5">{keys}</kbd>
            </dt>
            <dd>{effect}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
}

function optionId(id: string, item: FoundItem | undefined): string {
  return `${id}-${item?.key ?? ''}`
}
