/**
 * Returns the origin of the API: API_ORIGIN, which the server writes into the page if it is set; else the page's own host; for a page
 * opened from a file, port 5000 of this machine (accounts specification, section 7). Empty means the page's own host.
 */
export function readApiOrigin(host: string = window.location.host): string {
  const content = document.querySelector('meta[name="api-origin"]')?.getAttribute('content') ?? ''
  if (content.startsWith('http')) return content.replace(/\/$/, '')
  return host === '' ? 'http://localhost:5000' : ''
}

const apiOrigin = readApiOrigin()

/** Returns the address of an API path such as `/api/audio/…`. */
export function apiUrl(path: string): string {
  return `${apiOrigin}${path}`
}

/** If the API is on another host, its cookies must be requested explicitly. */
export const credentials: RequestCredentials = apiOrigin ? 'include' : 'same-origin'
