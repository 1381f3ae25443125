// Runs before the first paint, so that a dark page never flashes light. The key is Mantine's.
;(function () {
  var stored
  try {
    stored = window.localStorage.getItem('mantine-color-scheme-value')
  } catch {
    stored = null
  }
  var isDark = stored === 'dark' || (stored !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
})()
