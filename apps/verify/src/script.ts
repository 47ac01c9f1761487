import { defineVidimusVerify, VidimusVerifyElement } from '@vidimus/component'

/**
 * What the page does beside the component: the request makes room for a message, the title says the outcome, for a tab in the background,
 * the bar leads back to the merchant, and a session that was erased while the page was open leaves nothing on the screen.
 */
function followComponent(page: HTMLElement, verify: VidimusVerifyElement): void {
  const showTitle = (outcome: string) => (document.title = page.dataset[outcome] ?? document.title)
  page.addEventListener('vidimus-completed', () => showTitle('completed'))
  page.addEventListener('vidimus-expired', () => showTitle('expired'))
  page.addEventListener('vidimus-cancelled', () => showTitle('cancelled'))
  page.addEventListener('vidimus-failed', ({ detail }) => showTitle(detail.outcome))
  page.addEventListener('vidimus-error', ({ detail }) => {
    // The service then returns the page for an unknown session.
    if (detail.reason === 'unavailable') location.reload()
  })
  const showStep = () => {
    const { step = 'loading' } = verify.dataset
    if (step === 'loading' || step === 'not_loaded') return
    document.body.classList.toggle('one', step !== 'ready')
    back?.toggleAttribute('hidden', !verify.canLeave)
  }
  const back = document.querySelector('button.back')
  back?.addEventListener('click', (event) => {
    event.preventDefault()
    verify.leave()
  })
  new MutationObserver(showStep).observe(verify, { attributeFilter: ['data-step'] })
  showStep()
}

defineVidimusVerify()
const page = document.querySelector('main')
const verify = document.querySelector('vidimus-verify')
if (page !== null && verify instanceof VidimusVerifyElement) followComponent(page, verify)
