import { buildFrame, type Frame } from './render/frame.ts'
import { showSession, type ShownSession } from './show-session.ts'

// On a server there is no HTMLElement, and importing this must work all the same.
const Base = typeof HTMLElement === 'undefined' ? (Object as unknown as typeof HTMLElement) : HTMLElement

/** Attributes that start over. */
const sessionAttributes = ['session', 'base-url', 'lang']

/**
 * `<vidimus-verify session="vs_…">`: shows the channels into a wallet, and then the outcome. Its child, a link to the hosted page, is
 * shown until the session is loaded.
 */
export class VidimusVerifyElement extends Base {
  static readonly observedAttributes = [...sessionAttributes, 'theme', 'methods', 'scheme', 'redirect']
  #frame: Frame | undefined
  #shown: ShownSession | undefined
  #hinted = false

  connectedCallback(): void {
    this.#frame ??= buildFrame(this)
    this.#start()
  }

  disconnectedCallback(): void {
    this.#shown?.stop()
    this.#shown = undefined
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    // Attributes of a new element arrive before it is connected.
    if (this.#frame === undefined || !this.isConnected || before === after) return
    if (sessionAttributes.includes(name)) this.#start()
    else this.#shown?.update()
  }

  /** Whether there is something to cancel, or a page of the merchant's to go to. */
  get canLeave(): boolean {
    return this.#shown?.canLeave() ?? false
  }

  /** Cancels the verification while it is open, then goes back to the merchant's page, if it gave one. */
  leave(): void {
    this.#shown?.leave()
  }

  /** Once, for whoever builds the merchant's page. A framework may set the attribute just after it has inserted the element. */
  #hint(): void {
    setTimeout(() => {
      if (this.#hinted || !this.isConnected || this.#shown !== undefined) return
      this.#hinted = true
      // oxlint-disable-next-line no-console -- for the developer of the merchant's page
      console.warn(
        '<vidimus-verify> shows nothing yet: set its attribute session to the id of a verification.',
      )
    })
  }

  #start(): void {
    this.#shown?.stop()
    this.#shown = undefined
    const id = this.getAttribute('session') ?? ''
    this.#frame = buildFrame(this)
    if (id === '') return this.#hint()
    this.#shown = showSession(this, this.#frame, {
      id,
      base_url: readBaseUrl(this),
      lang: this.closest('[lang]')?.getAttribute('lang') ?? '',
    })
  }
}

/** Where the service is: as the attribute says, or where this file comes from. */
function readBaseUrl(element: HTMLElement): string {
  const given = element.getAttribute('base-url')
  if (given !== null && given !== '' && URL.canParse(given, document.baseURI))
    return new URL(given, document.baseURI).href.replace(/\/+$/, '')
  const { origin } = new URL(import.meta.url)
  return origin === 'null' ? location.origin : origin
}
