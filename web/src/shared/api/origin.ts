/**
 * Where the API lives: the server writes API_ORIGIN, where set, into the page; else the page's own host (accounts specification,
 * section 7). Empty means the own host.
 */
function readApiOrigin(): string {
  const content = document.querySelector('meta[name="api-origin"]')?.getAttribute('content') ?? ''
  return content.startsWith('http') ? content.replace(/\/$/, '') : ''
}

const apiOrigin = readApiOrigin()

/** The address of an API path such as `/api/audio/…`. */
export function apiUrl(path: string): string {
  return `${apiOrigin}${path}`
}

/** With an API on another host its cookies have to be asked for. */
export const credentials: RequestCredentials = apiOrigin ? 'include' : 'same-origin'
