// Takes the one-time code out of the address, so that it stays in no history, and sends it to the site.
;(function () {
  const form = document.getElementById('vidimus-return')
  const code = new URLSearchParams(location.hash.slice(1)).get('response_code')
  history.replaceState(null, '', location.pathname + location.search)
  form.elements.namedItem('response_code').value = code === null ? '' : code
  form.submit()
})()
