import type { EndpointSpec } from '#contract/endpoint.ts'

/**
 * Sends a request that passes the guards and then fails because of invalid input, if the endpoint takes input. Returns the status and the
 * error code, which is empty if there is none.
 */
export async function probeEndpoint(
  server: { url: string },
  spec: EndpointSpec,
  { token, id = 'not-an-id' }: { token: string | undefined; id?: string },
): Promise<{ status: number; code: string }> {
  const path = spec.path.replace(':category', 'nothing').replace(/:\w+/, id).replaceAll(/:\w+/g, 'f'.repeat(24))
  const stop = new AbortController()
  const response = await fetch(server.url + path, {
    method: spec.method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(spec.body && { 'Content-Type': 'application/json' }),
    },
    ...(spec.body && { body: '{"unknown":1}' }),
    signal: stop.signal,
  })
  const isStream = response.headers.get('Content-Type')?.includes('event-stream')
  const body = isStream ? '{}' : await response.text()
  stop.abort()
  const isJson = response.headers.get('Content-Type')?.includes('json')
  const code = isJson ? String((JSON.parse(body) as { code?: string }).code ?? '') : '' // our own error body
  return { status: response.status, code }
}
