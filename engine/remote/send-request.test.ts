import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createCertificate } from '#testing/certificate.ts'
import { lacks } from '#testing/needs.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { sendRequest } from './send-request.ts'

/** Starts an https server with a self-signed certificate. */
async function startSelfSignedServer(): Promise<{ url: string; ca: string }> {
  const folder = await temporaryFolder()
  const { key, certificate } = await createCertificate(folder, 'DNS:localhost')
  const server = createServer({ key, cert: certificate }, (_, response) => response.end('{}'))
  server.listen(0, 'localhost')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { url: `https://localhost:${(server.address() as AddressInfo).port}/`, ca: certificate } // a TCP server's
}

test.skipIf(lacks('openssl'))('trusts only the given certificate authority', async () => {
  const { url, ca } = await startSelfSignedServer()
  const request = { method: 'GET', url, timeoutMs: 10_000, maxResponseBytes: 1000 } as const
  await expect(sendRequest({ ...request, access: { isHttpAllowed: false, ca } })).resolves.toMatchObject({
    status: 200,
  })
  await expect(sendRequest({ ...request, access: { isHttpAllowed: false } })).rejects.toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('self-signed certificate'),
  })
})
