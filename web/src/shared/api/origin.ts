/**
 * Where the API lives: the server writes API_ORIGIN, where set, into the page; else the page's own host; else, for a page opened
 * from a file, port 5000 of this machine (accounts specification, section 7). Empty means the page's own host.
 */
export function readApiOrigin(host: string = window.location.host): string {
  const content = document.querySelector('meta[name="api-origin"]')?.getAttribute('content') ?? ''
  if (content.startsWith('http')) return content.replace(/\/$/, '')
  return host === '' ? 'http://localhost:5000' : ''
}

const apiOrigin = readApiOrigin()

/** The address of an API path such as `/api/audio/…`. */
export function apiUrl(path: string): string {
  return `${apiOrigin}${path}`
}

/** With an API on another host its cookies must be requested. */
export const credentials: RequestCredentials = apiOrigin ? 'include' : 'same-origin'
