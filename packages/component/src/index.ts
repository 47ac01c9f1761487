import { VidimusVerifyElement } from './element.ts'
import type { VidimusEventDetails } from './events.ts'

export { VidimusVerifyElement }
export type { VidimusEventDetails } from './events.ts'

export const tagName = 'vidimus-verify'

/** Registers the element. Importing this module does so in a browser, and nothing on a server. */
export function defineVidimusVerify(): void {
  if (typeof customElements === 'undefined' || customElements.get(tagName) !== undefined) return
  customElements.define(tagName, VidimusVerifyElement)
}

defineVidimusVerify()

declare global {
  interface HTMLElementTagNameMap {
    'vidimus-verify': VidimusVerifyElement
  }
  interface HTMLElementEventMap extends VidimusEventMap {}
}

type VidimusEventMap = { [Type in keyof VidimusEventDetails]: CustomEvent<VidimusEventDetails[Type]> }
