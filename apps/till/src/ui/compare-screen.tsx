import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Till } from '../control/till.ts'
import type { Check } from '../state/till-state.ts'
import { findAge } from '../texts/ages.ts'
import { fillIn } from '../texts/fill-in.ts'
import { formatDuration } from '../texts/format-time.ts'
import { nameTemplate } from '../texts/name-template.ts'
import { Icon } from './icon.tsx'
import { useTexts } from './texts-context.ts'
import { useTimeLeft } from './use-time-left.ts'

type CompareScreenProps = { till: Till; check: Check; portrait: string; duration_ms: number }

/** No answer yet, so none of the answers' colours and no sound: staff compare, and then decide. */
export function CompareScreen({ till, check, portrait, duration_ms }: CompareScreenProps) {
  const text = useTexts()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const age = findAge(check.template)
  const template = nameTemplate(age === undefined ? check.template : `age_over_${age}`, text.templates)
  return (
    <main className="compare">
      <figure>
        <Photo source={portrait} onUnreadable={till.photoUnreadable} />
      </figure>
      <section className="question">
        <h1 ref={heading} tabIndex={-1}>
          {text.compare.title}
        </h1>
        <p>{fillIn(text.compare.text, { template })}</p>
        <div className="choices">
          <button type="button" className="btn" onClick={() => till.compare(true)}>
            <Icon name="tick" />
            {text.compare.same}
          </button>
          <button type="button" className="btn" onClick={() => till.compare(false)}>
            <Icon name="cross" />
            {text.compare.different}
          </button>
        </div>
        <PhotoLife duration_ms={duration_ms} />
      </section>
    </main>
  )
}

/**
 * A window that loses the focus loses the photo. One that did not have it when the photo came, as behind the tab of the sandbox
 * wallet, shows it once it has. Some documents have JPEG 2000 images, which only Safari shows.
 */
function Photo({ source, onUnreadable }: { source: string; onUnreadable: () => void }) {
  const text = useTexts()
  const focused = useSyncExternalStore(watchFocus, () => document.hasFocus())
  if (!focused) return <p className="hidden">{text.compare.hidden}</p>
  return <img src={source} alt={text.compare.photo} draggable={false} onError={onUnreadable} />
}

function watchFocus(listener: () => void): () => void {
  addEventListener('focus', listener)
  addEventListener('blur', listener)
  return () => {
    removeEventListener('focus', listener)
    removeEventListener('blur', listener)
  }
}

function PhotoLife({ duration_ms }: { duration_ms: number }) {
  const text = useTexts()
  const [end_ms] = useState(() => performance.now() + duration_ms)
  const time = formatDuration(useTimeLeft(end_ms))
  return (
    <p className="life">
      <Icon name="clock" />
      {fillIn(text.compare.life, { time })}
    </p>
  )
}
