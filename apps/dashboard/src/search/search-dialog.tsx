import { Fragment, useId, useRef, useState, type KeyboardEvent } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { operationQuery } from '../api/queries.ts'
import { useEnvironment, usePermission } from '../shell/shell-context.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { useDelayedText } from '../ui/use-delayed-text.ts'
import { ResultList } from './result-list.tsx'
import { findPages } from './find-pages.ts'
import { groupResults, useResultTexts, type FoundItem } from './group-results.ts'

const min_characters = 2

/** One search over pages, actions, verifications, requests, keys, devices, templates and OpenID clients: a combobox that the arrow keys move through. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const text = useTexts().search
  const formats = useFormats()
  const environment = useEnvironment()
  const navigate = useNavigate()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [searched, setSearched] = useState('')
  const [active, setActive] = useState(0)
  const field = useDelayedText(searched, (value) => {
    setSearched(value)
    setActive(0)
  })
  const enabled = searched.length >= min_characters
  const results = useQuery({
    ...operationQuery('search', { params: { environment }, query: { text: searched } }),
    enabled,
    placeholderData: keepPreviousData,
  })
  const resultTexts = useResultTexts()
  const canReadAudit = usePermission('read_audit')
  const found = [
    ...(enabled ? findPages(searched, resultTexts.texts, { canReadAudit }) : []),
    ...(enabled && results.data !== undefined ? groupResults(results.data, resultTexts) : []),
  ]
  const items = found.flatMap((group) => group.items)
  const activeItem = items[Math.min(active, items.length - 1)]

  const open = (item: FoundItem) => {
    onClose()
    void navigate({ ...item.target, params: { environment, ...item.target.params } } as never)
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
    if (results.isFetching) return text.searching
    return items.length === 0 ? text.none : formats.count(text.results, items.length)
  }
}

const isMac = navigator.platform.startsWith('Mac')

/** What the keyboard does, until something is searched. */
function Shortcuts() {
  const text = useTexts().search.shortcuts
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
