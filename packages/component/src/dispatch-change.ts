import { safeHref } from './render/controls.ts'
import { describeChange, redirectOf } from './state/announce.ts'
import { isOpen, type ComponentState } from './state/state.ts'

/** Tells the merchant's page what changed. After completion it moves on, unless the page or the attribute `redirect` says otherwise. */
export function dispatchChange(
  host: HTMLElement,
  id: string,
  before: ComponentState,
  after: ComponentState,
): void {
  let prevented = host.getAttribute('redirect') === 'manual'
  for (const { type, detail } of describeChange(id, before, after)) {
    const cancelable = type === 'vidimus-completed'
    const event = new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable })
    if (!host.dispatchEvent(event)) prevented = true
  }
  // Once, and only after an end that this page has seen: coming back to a finished session leads nowhere by itself.
  const seen = isOpen(before.step) || before.step === 'checking'
  const target = redirectOf(after)
  if (after.step !== 'completed' || !seen || prevented || target === undefined) return
  if (safeHref(target) !== undefined) location.assign(target)
}
