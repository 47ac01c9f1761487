import { defineVidimusVerify } from '@vidimus/component'

/**
 * What the page does beside the component: its title says the outcome, for a tab in the background, and a session that was
 * erased while the page was open leaves nothing on the screen.
 */
function followOutcome(page: HTMLElement): void {
  const show = (outcome: string) => {
    document.title = page.dataset[outcome] ?? document.title
    page.classList.add('ended')
  }
  page.addEventListener('vidimus-completed', () => show('completed'))
  page.addEventListener('vidimus-expired', () => show('expired'))
  page.addEventListener('vidimus-failed', ({ detail }) => show(detail.outcome))
  page.addEventListener('vidimus-error', ({ detail }) => {
    // The service then returns the page for an unknown session.
    if (detail.reason === 'unavailable') location.reload()
  })
}

defineVidimusVerify()
const page = document.querySelector('main')
if (page !== null) followOutcome(page)
