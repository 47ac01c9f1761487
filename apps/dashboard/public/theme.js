// Before the first paint, so that whoever chose a theme never sees the other one flash.
try {
  const chosen = localStorage.getItem('theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {
  // Storage is forbidden here: the system's theme it is.
}
