// Runs before the first paint, so that the other theme never flashes.
try {
  const chosen = localStorage.getItem('theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {
  // Storage is blocked: the system's theme applies.
}
