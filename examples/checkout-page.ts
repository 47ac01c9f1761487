/** The version of the component. The service keeps serving it under this name. */
const component = '/component/vidimus-verify-1.0.0.js'

/** The headers of the page: beside its own needs, the component needs only the service as a source of scripts and connections. */
export function checkoutHeaders(serviceUrl: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; script-src ${serviceUrl}; connect-src ${serviceUrl}`,
  }
}

/** A page that verifies a customer's age. The link is for browsers without script. */
export function renderCheckout(serviceUrl: string, { id, pageUrl }: { id: string; pageUrl: string }): string {
  return `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Checkout</title>
<script type="module" src="${serviceUrl}${component}"></script>
<main>
<h1>Checkout</h1>
<vidimus-verify session="${id}"><a href="${pageUrl}">Prove your age with your wallet</a></vidimus-verify>
</main>
</html>
`
}
