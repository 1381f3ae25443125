const maxRedirects = 20

/**
 * Walks through the pages of testing/oidc-provider.ts as a browser does: follows redirects with cookies, and types the user name.
 * Returns the first address on another host or port: the one that the provider sends the browser back to.
 */
export async function signInWithoutBrowser(startAddress: string, username: string): Promise<URL> {
  const { origin } = new URL(startAddress)
  const cookies = new Map<string, string>()
  let address = new URL(startAddress)
  let form: URLSearchParams | undefined
  for (let count = 0; count < maxRedirects; count += 1) {
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('Location')
    const text = await response.text()
    form = undefined
    if (location) address = new URL(location, address)
    else if (text.includes('name="username"')) form = new URLSearchParams({ username, action: 'login' })
    else throw new Error(`The provider responded with ${response.status}: ${text.slice(0, 500)}`)
    if (address.origin !== origin) return address
  }
  throw new Error('The provider sends the browser around in circles')
}
